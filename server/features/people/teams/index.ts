export { teamRestorer } from "./restore-team.ts"
export { teamRoutes } from "./routes.ts"
export { listTeamMembers } from "./teams.ts"
