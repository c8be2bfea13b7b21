import { defineErrors } from "#core/errors.ts"

export const userErrors = defineErrors("user", {
  notFound: { http: 404, code: "033", message: "This user does not exist" },
  alreadyMember: {
    http: 400,
    code: "036",
    message: "Somebody with this e-mail is already in the organization",
  },
  alreadyInvited: { http: 400, code: "036", message: "This e-mail is invited already: send the mail again" },
  activeMember: { http: 400, code: "045", message: "This person is a member already" },
  emailTaken: { http: 400, code: "037", message: "Another account has this e-mail" },
  otherOrigin: {
    http: 403,
    code: "035",
    message: "This account started in another organization: only that one, or the person, can do this",
  },
  noRight: { http: 403, code: "035", message: "Your role lacks a permission that this needs" },
  ownerNeeded: { http: 400, code: "039", message: "Only an owner may give or change the owner role" },
  roleTooStrong: {
    http: 400,
    code: "039",
    message: "This role may do something that your own role may not: ask an administrator",
  },
  ownerTarget: { http: 403, code: "039", message: "Only an owner may do this to an owner" },
  unknownRole: { http: 400, code: "040", message: "This role does not exist in the organization" },
  unknownPermission: { http: 400, code: "017", message: "There is no such permission" },
  unknownHub: {
    http: 400,
    code: "038",
    message: "This hub does not exist in the organization, or is not one of yours",
  },
  unknownTeam: { http: 400, code: "040", message: "This team does not exist in one of the person's hubs" },
  badPhone: {
    http: 400,
    code: "006",
    message: "phoneNumber must be an international number such as +62 8123456789",
  },
  badState: {
    http: 400,
    code: "032",
    message: "Somebody invited becomes active by accepting: send the invitation again",
  },
  badInvitation: {
    http: 400,
    code: "043",
    message: "This invitation was used or has expired: ask for a new one",
  },
  notInvited: { http: 400, code: "041", message: "Nobody with this e-mail waits for an invitation" },
  acceptedAlready: { http: 400, code: "044", message: "This person has accepted already" },
  signInToAccept: {
    http: 401,
    code: "auth-001",
    message: "There is an account with this e-mail: sign in to it, then accept",
  },
  codeToAccept: {
    http: 403,
    code: "035",
    message: "Open the link of the invitation mail: it shows that the address is yours",
  },
  otherPerson: { http: 403, code: "035", message: "This invitation is for another person" },
  ownMembership: { http: 400, code: "048", message: "You cannot change or delete your own membership" },
  firstOwner: {
    http: 400,
    code: "049",
    message: "The first owner cannot be deleted, disabled or given another role",
  },
  notLocked: { http: 400, code: "042", message: "There is no locked member with this e-mail" },
  badImage: { http: 400, code: "015", message: "The image must be a JPEG or PNG of at most 1024 kB" },
  confirmFirst: {
    http: 400,
    code: "034",
    message: "You signed in a while ago: send currentPassword as well to change your e-mail",
  },
  weakPassword: { http: 400, code: "005", message: "The password is too weak" },
})
