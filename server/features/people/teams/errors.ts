import { defineErrors } from "#core/errors.ts"

export const teamErrors = defineErrors("team", {
  unknownHub: [400, "032", "This hub does not exist, or you do not have access to it"],
  moved: [400, "032", "A team with members cannot be moved to another hub. Remove its members first"],
  notFound: [404, "033", "This team does not exist"],
  nameTaken: [400, "034", "The hub already has a team with this name. Choose another name"],
  lastOfSomebody: [
    400,
    "036",
    "This is somebody's last team, perhaps yours, and people without teams see everything of their hubs. Ask somebody who is in no team to delete it",
  ],
  hasUsers: [400, "036", "This team still has members. Remove them first"],
})
