export { teamRestorer } from "./restore-team.ts"
export { teamRoutes } from "./routes.ts"
export {
  createTeam,
  deleteTeam,
  listTeamMembers,
  listTeams,
  type TeamRow,
  updateTeam,
} from "./teams.ts"
