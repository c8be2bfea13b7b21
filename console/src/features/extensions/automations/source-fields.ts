import { useQuery } from "@tanstack/react-query"
import { useSession } from "../../../session/session.ts"
import { type DataType, dataTypesQuery } from "../../work/data-types/data-types.queries.ts"
import { componentsOf, type Flow, flowsQuery } from "../../work/flows/flows.queries.ts"
import type { SourceField } from "./ReferenceInput.tsx"

export interface Catalogue {
  flows: readonly Flow[]
  dataTypes: readonly DataType[]
  flowName(flowId: string): string
  fieldsOfFlow(flowId: string): SourceField[]
  fieldsOfType(dataTypeId: string): SourceField[]
}

/** The flows and data types that automations use, as far as the role can view them. */
export function useCatalogue(): Catalogue {
  const { mayAny } = useSession()
  const { data: flows = [] } = useQuery({ ...flowsQuery, enabled: mayAny("view/flow", "add/task") })
  const { data: dataTypes = [] } = useQuery({
    ...dataTypesQuery,
    enabled: mayAny("view/dataType", "view/data"),
  })
  return {
    flows,
    dataTypes,
    flowName: (flowId) => flows.find(({ _id }) => _id === flowId)?.name ?? "",
    fieldsOfFlow: (flowId) => {
      const flow = flows.find(({ _id }) => _id === flowId)
      return (flow ? componentsOf(flow) : []).map(({ id, title }) => ({ id, title: title || id }))
    },
    fieldsOfType: (dataTypeId) => {
      const type = dataTypes.find(({ _id }) => _id === dataTypeId)
      return (type?.fields ?? []).map(({ id, title }) => ({ id, title: title || id }))
    },
  }
}
