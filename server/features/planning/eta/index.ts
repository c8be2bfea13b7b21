export { etaJobs } from "./follow-estimates.ts"
export { estimateFields, readEstimates, type TaskEstimate } from "./read-estimates.ts"
export { estimateSoon, requestEstimates } from "./request-estimates.ts"
