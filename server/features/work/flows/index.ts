import type { App } from "#core/http/types.ts"
import { flowComponentRoutes } from "./component-routes.ts"
import { flowHistoryRoutes } from "./history-routes.ts"
import { flowRoutes as singleFlowRoutes } from "./routes.ts"

export { readDataSources } from "./check-configurations.ts"
export {
  type BillCost,
  billCosts,
  type FlowComponent,
  type FlowConfiguration,
  type FlowPage,
  type InputType,
  inputTypeOf,
  reservedTaskKeys,
} from "./component.ts"
export { copyFlows } from "./copy-flows.ts"
export { defaultFlows, insertDefaultFlows } from "./defaults/default-flows.ts"
export { ensureHandoverFlow, handoverFlowName } from "./handover-flow.ts"
export {
  allowedFlowIds,
  type FlowRow,
  findFlow,
  findFlows,
  findFlowsByName,
  findFlowWithType,
  listEveryFlow,
  organizationsWithConfiguration,
} from "./queries.ts"
export { findRequirements, isRequired } from "./requirements.ts"
export { auditedFlow, flowRestorer } from "./restore-deleted.ts"
export { referenceIn, type SubFlow, subFlowsOf } from "./sub-flows.ts"

export function flowRoutes(app: App): void {
  flowComponentRoutes(app)
  flowHistoryRoutes(app)
  singleFlowRoutes(app)
}
