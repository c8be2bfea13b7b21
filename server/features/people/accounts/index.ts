export {
  type AccessHook,
  type AccountRow,
  claimOrigin,
  endAccess,
  endAccessOfMembers,
  endSessions,
  findAccount,
  insertAccount,
  lockAccount,
  markVerified,
  normalizeEmail,
  noteExpiryNotice,
  notePasswordOwner,
  releaseOrigin,
  removeOrphans,
  setAccountEmail,
  setOrigin,
} from "./accounts.ts"
export { attemptPassword, countFailure, findAttempt, forgiveFailures, isLockedFor } from "./attempt.ts"
export { removeAuthenticator, sealStoredAuthenticators, spendAuthenticatorCode } from "./authenticator.ts"
export { authenticatorRoutes } from "./authenticator-routes.ts"
export { hashCode, issueCode, newCode, removeOldCodes, resetMinutes, spendCode, verifyDays } from "./codes.ts"
export { accountErrors } from "./errors.ts"
export { checkStrength, confirmPassword, setPassword } from "./set-password.ts"
export {
  type BrowserCookie,
  failureCount,
  findSource,
  lockedUntil,
  networkOf,
  type Origin,
  removeOldSources,
  type SignInSource,
  welcome,
} from "./sign-in-sources.ts"
