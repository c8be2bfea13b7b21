/** The types of all calls; generated with the TypeScript client. */
export type { operations, paths } from "../../../packages/api-client/src/schema.ts"
