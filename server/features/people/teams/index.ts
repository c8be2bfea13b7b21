export { teamRestorer } from "./restore-team.ts"
export { teamRoutes } from "./routes.ts"
export {
  createTeam,
  deleteTeam,
  findTeam,
  listTeamMembers,
  listTeams,
  type TeamRow,
  updateTeam,
} from "./teams.ts"
