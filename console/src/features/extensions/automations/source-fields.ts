import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useSession } from "../../../session/session.ts"
import { type DataType, dataTypesQuery } from "../../work/data-types/data-types.queries.ts"
import { componentsOf, type Flow, flowsQuery } from "../../work/flows/flows.queries.ts"
import { useTaskFilterFields } from "../../work/tasks/list/filter-fields.ts"
import { usePeopleNames } from "../../work/tasks/people.ts"
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
      return (type?.fields ?? []).map(({ id, title, options }) => ({
        id,
        title: title || id,
        options:
          Array.isArray(options) && options.length > 0
            ? options.map(String).map((value) => ({ value, label: value }))
            : undefined,
      }))
    },
  }
}

/** Fields of every task whose values are known. */
const ownFields = ["status", "outcome", "priority", "assignee", "hubId", "doneBy"]

/** What conditions on tasks compare: fields of every task, then those of the chosen flow. */
export function useTaskConditionFields({ flows }: Catalogue, flowId: string): SourceField[] {
  const chosen = useMemo(() => flows.filter(({ _id }) => _id === flowId), [flows, flowId])
  const components = useMemo(() => new Set(chosen.flatMap(componentsOf).map(({ id }) => id)), [chosen])
  const fields = useTaskFilterFields(chosen, usePeopleNames())
  return fields.filter(({ id }) => ownFields.includes(id) || components.has(id))
}
