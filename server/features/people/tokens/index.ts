export {
  endClientToken,
  endGrant,
  endTokensOfClient,
  endTokensOfGrant,
  type Grant,
  insertClientToken,
  listGrants,
  lockRefreshToken,
  retireRefreshToken,
} from "./client-tokens.ts"
export { tokenRoutes } from "./routes.ts"
export {
  endSession,
  endSessionsOfMember,
  endTokensOfMembers,
  insertSession,
  removeOldTokens,
  undoRevocation,
} from "./tokens.ts"
