import { defineErrors } from "#core/errors.ts"

export const userErrors = defineErrors("user", {
  notFound: { http: 404, code: "033", message: "This user does not exist" },
  alreadyMember: {
    http: 400,
    code: "036",
    message: "A user with this e-mail is already in the organization",
  },
  alreadyInvited: {
    http: 400,
    code: "036",
    message: "This e-mail has already been invited. Send the invitation again",
  },
  activeMember: { http: 400, code: "045", message: "This person is already a member" },
  emailTaken: { http: 400, code: "037", message: "Another account already uses this e-mail" },
  otherOrigin: {
    http: 403,
    code: "035",
    message:
      "This account was created in another organization. Only that organization or the account holder can do this",
  },
  noRight: { http: 403, code: "035", message: "Your role lacks the required permission" },
  ownerNeeded: { http: 400, code: "039", message: "Only an owner can assign or change the owner role" },
  roleTooStrong: {
    http: 400,
    code: "039",
    message: "This role has permissions that your role lacks. Ask an administrator",
  },
  ownerTarget: { http: 403, code: "039", message: "Only an owner can do this to another owner" },
  unknownRole: { http: 400, code: "040", message: "This role does not exist in the organization" },
  unknownPermission: { http: 400, code: "017", message: "This permission does not exist" },
  unknownHub: {
    http: 400,
    code: "038",
    message: "This hub does not exist, or you do not have access to it",
  },
  unknownTeam: { http: 400, code: "040", message: "This team does not exist in any of the user's hubs" },
  badPhone: {
    http: 400,
    code: "006",
    message: "phoneNumber must be an international number such as +62 8123456789",
  },
  badState: {
    http: 400,
    code: "032",
    message: "An invited user becomes active by accepting the invitation. Send the invitation again",
  },
  badInvitation: {
    http: 400,
    code: "043",
    message: "This invitation was already used or has expired. Ask for a new one",
  },
  notInvited: { http: 400, code: "041", message: "There is no pending invitation for this e-mail" },
  acceptedAlready: { http: 400, code: "044", message: "This person has already accepted the invitation" },
  signInToAccept: {
    http: 401,
    code: "auth-001",
    message: "An account with this e-mail already exists. Sign in to it, then accept the invitation",
  },
  codeToAccept: {
    http: 403,
    code: "035",
    message: "Open the link in the invitation e-mail to confirm that the address is yours",
  },
  otherPerson: { http: 403, code: "035", message: "This invitation is for another person" },
  ownMembership: { http: 400, code: "048", message: "You cannot change or delete your own membership" },
  firstOwner: {
    http: 400,
    code: "049",
    message: "The first owner cannot be deleted or disabled, and cannot be given another role",
  },
  notLocked: { http: 400, code: "042", message: "No locked member has this e-mail" },
  badImage: { http: 400, code: "015", message: "The image must be a JPEG or PNG of at most 1024 kB" },
  confirmFirst: {
    http: 400,
    code: "034",
    message: "Confirm your identity: send currentPassword to change your e-mail",
  },
  weakPassword: { http: 400, code: "005", message: "The password is too weak" },
})
