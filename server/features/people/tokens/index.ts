export { tokenRoutes } from "./routes.ts"
export {
  endSession,
  endSessionsOfMember,
  endTokensOfMembers,
  insertSession,
  removeOldTokens,
} from "./tokens.ts"
