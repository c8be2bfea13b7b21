import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { RowFilter } from "#shared/row-filter.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { useGroupedWindow } from "../../../../ui/tables/grouped-window.ts"
import { componentsOf } from "../../flows/flows.queries.ts"
import { taskMessages } from "../messages.ts"
import { taskPageQuery, taskSummaryQuery } from "../tasks.queries.ts"
import { useTaskFilterFields } from "./filter-fields.ts"
import { summaryMessages } from "./summary-messages.ts"
import { TaskTable, type TaskTableProps } from "./TaskTable.tsx"

/** What is summed up, and how the rows of a group are listed. */
export interface TaskSummary {
  query: Parameters<typeof taskSummaryQuery>[0]
  ordering: Parameters<typeof taskPageQuery>[2]
  extra: readonly string[]
  sums: readonly string[]
}

interface Group {
  value: string | null
  count: number
  sums: Record<string, number | null>
  filter: Record<string, unknown>
}

const noGroups: Group[] = []

/** The table in groups that open and close, with a line of totals. Loaded when somebody groups, or shows a column of numbers. */
export default function SummedTaskTable({ summary, ...props }: TaskTableProps & { summary: TaskSummary }) {
  const { query, ordering, extra, sums } = summary
  const { group, flows } = props
  const t = useMessages(taskMessages)
  const tSummary = useMessages(summaryMessages)
  const formats = useFormats()
  const { data, error } = useQuery(taskSummaryQuery(query, group, sums))
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const groups = (group === undefined ? undefined : data?.groups) ?? noGroups
  const nameOf = useGroupNames(props)
  const titles = new Map(flows.flatMap(componentsOf).map(({ id, title }) => [id, title || id]))
  // A few groups are open at first: their rows are what the list is for.
  const isOpenAtFirst = groups.length <= 3
  const keyOf = (value: string | null) => `${group}=${value}`
  const isOpen = (value: string | null) => toggled.has(keyOf(value)) !== isOpenAtFirst
  const grouped = useGroupedWindow(
    groups.map(({ value, count }) => ({ count, isOpen: isOpen(value) })),
    (at, page) => taskPageQuery(withFilter(query, groups[at]?.filter), page, ordering, extra),
  )
  const toggle = (value: string | null) => {
    const next = new Set(toggled)
    if (!next.delete(keyOf(value))) next.add(keyOf(value))
    setToggled(next)
  }
  const sumsOf = (own: Group["sums"]) =>
    sums.flatMap((id) => {
      const sum = own[id]
      return sum === null || sum === undefined ? [] : `${titles.get(id)} ${formats.number(sum)}`
    })
  return (
    <>
      {error ? <FormError error={error} /> : null}
      {data && data.moreGroups > 0 ? (
        <p className="quiet">{tSummary("moreGroups", { count: data.moreGroups })}</p>
      ) : null}
      <TaskTable
        {...props}
        tasks={group !== undefined && data ? grouped : props.tasks}
        groupAt={
          group === undefined
            ? undefined
            : (index) => {
                const own = groups[grouped.groupAt(index) ?? -1]
                if (!own) return undefined
                return {
                  isOpen: isOpen(own.value),
                  onToggle: () => toggle(own.value),
                  content: (
                    <>
                      <strong>{nameOf(own.value)}</strong>
                      <span className="quiet">
                        {[t("count", { count: own.count }), ...sumsOf(own.sums)].join(" · ")}
                      </span>
                    </>
                  ),
                }
              }
        }
        totalOf={
          data
            ? (column) => {
                if (column === "task") return t("count", { count: data.total })
                const sum = data.sums[column.replace(/^value-/, "")]
                return sum === null || sum === undefined ? null : formats.number(sum)
              }
            : undefined
        }
      />
    </>
  )
}

/** The list of a group: the filter of the list and the one of the group. */
function withFilter(query: TaskSummary["query"], own: Record<string, unknown> | undefined) {
  if (!own) return query
  const before = query.filter ? [JSON.parse(query.filter) as RowFilter] : []
  return { ...query, filter: JSON.stringify({ and: [...before, own] }) }
}

/** What a group is called: names of people and hubs, words for states, days as they are written. */
function useGroupNames({ group, flows, people, hubs }: TaskTableProps) {
  const tSummary = useMessages(summaryMessages)
  const formats = useFormats()
  const field = useTaskFilterFields(flows, people).find(({ id }) => id === group)
  return (value: string | null): string => {
    if (value === null) return tSummary("noValue")
    if (group === "assignee")
      return formats.list(value.split(", ").map((email) => people.get(email) ?? email))
    if (group === "hubId") return hubs.get(value) ?? value
    if (field?.kind === "time") return formats.day(value.slice(0, 10))
    return field?.options?.find((option) => option.value === value)?.label ?? value
  }
}
