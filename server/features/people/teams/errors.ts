import { defineErrors } from "#core/errors.ts"

export const teamErrors = defineErrors("team", {
  unknownHub: {
    http: 400,
    code: "032",
    message: "This hub does not exist in the organization, or is not one of yours",
  },
  moved: {
    http: 400,
    code: "032",
    message: "A team with people cannot move to another hub: take them out first",
  },
  notFound: { http: 404, code: "033", message: "This team does not exist" },
  nameTaken: {
    http: 400,
    code: "034",
    message: "The hub already has a team with this name: choose another one",
  },
  hasUsers: { http: 400, code: "036", message: "People still belong to this team: take them out first" },
})
