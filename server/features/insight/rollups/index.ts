export { catchUp } from "./fold-changes.ts"
export { foldRollupsSoon, rollupJobs } from "./jobs.ts"
export { type Measure, readSums, type Sums, seesPart } from "./read-sums.ts"
export { verifyRollups } from "./verify.ts"
