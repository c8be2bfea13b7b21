export { mayReadAvatar } from "./avatar.ts"
export type { LeaveHook } from "./delete-user.ts"
export { userErrors } from "./errors.ts"
export {
  activateFirstOwner,
  findUnconfirmedOwner,
  insertFirstOwner,
  noteSignIn,
  releaseMembers,
  setLanguageOfMembers,
} from "./organization-members.ts"
export { joinHubs, joinTeams } from "./places.ts"
export { type Assignable, completeUser, findAssignable, findFullUser, findUser } from "./queries.ts"
export { userRestorer } from "./restore-user.ts"
export { type PersonHooks, userRoutes } from "./routes.ts"
export { UserSchema } from "./schemas.ts"
export type { EmailHook } from "./update-user.ts"
export { toWireFullUser, toWireUser, type UserRow } from "./wire.ts"
