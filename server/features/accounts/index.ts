export { type AccountKey, insertAccount, normalizeEmail } from "./accounts.ts"
