export { mappedBody } from "./mappings.ts"
export { findWorkflow, type WorkflowRow } from "./queries.ts"
export { workflowRoutes } from "./routes.ts"
