export {
  type AccountKey,
  type AccountRow,
  claimOrigin,
  endSessions,
  findAccount,
  insertAccount,
  markVerified,
  normalizeEmail,
  removeOrphans,
} from "./accounts.ts"
export { attemptPassword, countFailure, forgiveFailures } from "./attempt.ts"
export { removeAuthenticator, spendAuthenticatorCode } from "./authenticator.ts"
export { authenticatorRoutes } from "./authenticator-routes.ts"
export { hashCode, issueCode, newCode, removeOldCodes, resetMinutes, spendCode, verifyDays } from "./codes.ts"
export { accountErrors } from "./errors.ts"
export { type ChosenBy, checkStrength, confirmPassword, setPassword } from "./set-password.ts"
