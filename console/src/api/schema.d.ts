/** The types of all calls; generated with the TypeScript client. */
export type { operations, paths } from "../../../clients/typescript/src/schema.ts"
