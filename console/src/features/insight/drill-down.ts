import type { RowFilter } from "#shared/row-filter.ts"
import { localOf } from "../../i18n/day-bounds.ts"
import { readTaskSearch, type TaskSearch } from "../work/tasks/list/task-search.ts"

/** The list of the tasks of a figure: the API's query as an address of the task list. */
export function taskListOf(query: string, timeZone: string): TaskSearch & { hub?: string } {
  const read = new URLSearchParams(query)
  const text = (name: string) => read.get(name) ?? ""
  const own = JSON.parse(text("filter")) as { and: RowFilter[] }
  // What the list has choices for is no condition.
  const chosen = readTaskSearch({
    status: text("status"),
    flowId: text("flowId"),
    outcome: text("outcome") || (text("isLate") === "true" ? "late" : ""),
  })
  const isOfDays = (filter: RowFilter) => "field" in filter && filter.field === text("timeBy")
  const conditions: RowFilter[] = [
    ...own.and.filter((filter) => !isOfDays(filter)),
    ...listed("hubId", text("hubId")),
    ...(chosen.flowId ? [] : listed("flowId", text("flowId"))),
    ...(text("isLate") && chosen.outcome !== "late" ? [isLate(text("isLate") === "true")] : []),
    ...(chosen.outcome === text("outcome") ? [] : listed("outcome", text("outcome"))),
  ]
  if (!text("timeBy")) return readTaskSearch({ ...chosen, filter: { and: conditions } })
  const last = new Date(Date.parse(text("timeTo")) - 1)
  return readTaskSearch({
    ...chosen,
    timeBy: text("timeBy"),
    from: localOf(new Date(text("timeFrom")), timeZone).slice(0, 10),
    to: localOf(last, timeZone).slice(0, 10),
    filter: { and: conditions },
  })
}

function listed(field: string, text: string): RowFilter[] {
  return text === "" ? [] : [{ field, operator: "equals", value: text.split(",") }]
}

function isLate(wanted: boolean): RowFilter {
  const condition: RowFilter = { field: "_isLate", operator: "equals", value: true }
  return wanted ? condition : { not: condition }
}
