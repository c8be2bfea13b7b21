export { isAboutPerson, isCommonPassword } from "./common-passwords.ts"
export { defaultPolicy, expiryOf, type PolicySettings, weaknessOf } from "./policy.ts"
export { findPolicy, policiesByRole, policyOfAccount } from "./queries.ts"
export { passwordPolicyRoutes } from "./routes.ts"
