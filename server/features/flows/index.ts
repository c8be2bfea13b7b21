export {
  type FlowComponent,
  type FlowConfiguration,
  type FlowPage,
  type InputType,
  inputTypeOf,
  reservedTaskKeys,
} from "./component.ts"
export { insertDefaultFlows } from "./default-flows.ts"
export { flowErrors } from "./errors.ts"
export { allowedFlowIds, type FlowRow, findFlow, findFlowsByName, toWireFlow } from "./queries.ts"
export { flowRoutes } from "./routes.ts"
