export { auditedUser } from "./audited-user.ts"
export { mayReadAvatar } from "./avatar.ts"
export { createUser } from "./create-user.ts"
export { type DayPerson, findDayPeople } from "./day-people.ts"
export { deleteUser } from "./delete-user.ts"
export { userErrors } from "./errors.ts"
export {
  activateFirstOwner,
  findUnconfirmedOwner,
  insertFirstOwner,
  noteSignIn,
  releaseMembers,
  setLanguageOfMembers,
} from "./organization-members.ts"
export {
  countPeople,
  findContacts,
  findPeopleByEmail,
  findPeopleByNumber,
  firstNameOf,
  hubsOfEverybody,
  type MemberContact,
  type NumberedPerson,
  teamIdsOf,
  teamsOfEverybody,
} from "./people-by-number.ts"
export { isLastTeamOfSomebody, joinHubs, joinTeams } from "./places.ts"
export {
  type Assignable,
  findAssignable,
  findFullUser,
  findUser,
  findVisibleUser,
  inCallersTeams,
  isEmailInCallersTeams,
  listUsers,
  lockUsers,
} from "./queries.ts"
export { userRestorer } from "./restore-user.ts"
export { type PersonHooks, userRoutes } from "./routes.ts"
export { isPhone } from "./rules.ts"
export { UserSchema } from "./schemas.ts"
export { updateUser } from "./update-user.ts"
export { toWireFullUser, type UserRow } from "./wire.ts"
