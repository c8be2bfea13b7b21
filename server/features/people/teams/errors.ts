import { defineErrors } from "#core/errors.ts"

export const teamErrors = defineErrors("team", {
  unknownHub: {
    http: 400,
    code: "032",
    message: "This hub does not exist, or you do not have access to it",
  },
  moved: {
    http: 400,
    code: "032",
    message: "A team with members cannot be moved to another hub. Remove its members first",
  },
  notFound: { http: 404, code: "033", message: "This team does not exist" },
  nameTaken: {
    http: 400,
    code: "034",
    message: "The hub already has a team with this name. Choose another name",
  },
  hasUsers: { http: 400, code: "036", message: "This team still has members. Remove them first" },
})
