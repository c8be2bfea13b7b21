export { tokenRoutes } from "./routes.ts"
export { endSession, endSessionsOfMember, endTokensOfMembers, insertSession } from "./tokens.ts"
