export { etaJobs } from "./follow-estimates.ts"
export { estimateFields, lateEstimates, readEstimates, type TaskEstimate } from "./read-estimates.ts"
export { estimateSoon, requestEstimates } from "./request-estimates.ts"
export { inOrder } from "./stop-order.ts"
