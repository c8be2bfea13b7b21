import "./panel.css"
import { Button } from "@mantine/core"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { valueText } from "#shared/values.ts"
import { api, responseOf } from "../../../../api/client.ts"
import { dataOf, server } from "../../../../api/server.ts"
import { parseTime, useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { HistoryItem } from "../../../../ui/history/ObjectHistory.tsx"
import { type HistoryEntry, objectHistoryQuery } from "../../../../ui/history/object-history.queries.ts"
import { MoreButton } from "../../../../ui/tables/MoreButton.tsx"
import { componentsOf, flowQuery } from "../../flows/flows.queries.ts"
import { viewMessages } from "../list/view-messages.ts"
import type { Task } from "../tasks.queries.ts"
import { outcomePanelMessages } from "./outcome-panel-messages.ts"
import { panelMessages } from "./panel-messages.ts"

interface Entry {
  id: string
  text: string
  /** What was sent and not applied, and what a supervisor noted. */
  notes?: string[]
  time: string
  /** What the audit trail has of the change. */
  change?: HistoryEntry
}

interface Details {
  notApplied?: Record<string, unknown>
  reviewReasons?: string[]
  reviewNote?: string
}

/** Actions of a task's own history that the audit trail has too. */
const repeatedActions = new Set(["create", "add", "assign", "unassign", "move", "patch", "put"])
/** Between the times of the two histories of one change. */
const clockSlackMilliseconds = 5_000

/** What was done to the task, and who arrived at and left its place, newest first. */
export function TaskHistory({ task }: { task: Task }) {
  const t = useMessages(panelMessages)
  const tView = useMessages(viewMessages)
  const tOutcome = useMessages(outcomePanelMessages)
  const formats = useFormats()
  const { data: flow } = useQuery(flowQuery(task.flowId))
  const titles = new Map((flow ? componentsOf(flow) : []).map(({ id, title }) => [id, title || id]))
  const { data: visits = [] } = useQuery({
    queryKey: ["task", task._id, "visits"],
    queryFn: ({ signal }) => {
      const query = { placeId: task._id }
      return dataOf(server.get("/api/v3/location-visits", { query, signal }))
    },
  })
  const [isWhole, setWhole] = useState(false)
  // A task carries its newest changes only.
  const { data: all } = useQuery({
    queryKey: ["task", task._id, "histories"],
    enabled: isWhole,
    queryFn: async ({ signal }) => {
      const params = { path: { taskId: task._id }, query: { limit: 1000, sortOrder: "asc" } }
      const request = api.GET("/api/v3/task-histories/{taskId}", { params, signal })
      return (await responseOf(request)).histories.data
    },
  })
  const historyText = (action: string, notes: string) => {
    const name = / by (.+)$/.exec(notes)?.[1]
    if (name === undefined) return notes
    if (action === "add") return t("addedBy", { name })
    if (action === "create") return t("createdBy", { name })
    if (action === "review") return tOutcome("acceptedBy", { name })
    if (action === "patch" || action === "put") return t("changedBy", { name })
    return notes.charAt(0).toUpperCase() + notes.slice(1)
  }
  const notesOf = (details: unknown): string[] => {
    const { notApplied = {}, reviewReasons = [], reviewNote } = (details ?? {}) as Details
    const sent = Object.entries(notApplied).map(([id, value]) =>
      tOutcome("notApplied", { title: titles.get(id) ?? id, value: valueText(value) ?? "–" }),
    )
    return [...sent, ...reviewReasons, ...(reviewNote ? [reviewNote] : [])]
  }
  const changes = useInfiniteQuery(objectHistoryQuery({ objectType: "task", objectId: task._id }))
  const audited = changes.data?.pages.flatMap(({ data }) => data) ?? []
  // Changes since the audit trail began are in both lists; what the task's own history adds to them are notes.
  const auditedSince = Math.min(...audited.map(({ time }) => parseTime(time)?.getTime() ?? Infinity))
  const isAudited = (time: string) =>
    (parseTime(time)?.getTime() ?? 0) >= auditedSince - clockSlackMilliseconds
  const own = (all ?? task.histories ?? []).filter(
    ({ createdAt, details, action }) =>
      !isAudited(createdAt) || notesOf(details).length > 0 || !repeatedActions.has(action),
  )
  const entries: Entry[] = [
    ...audited.map((change) => ({ id: String(change.number), text: "", time: change.time, change })),
    ...own.map(({ _id, action, notes, details, createdAt }) => ({
      id: _id,
      text: historyText(action, notes),
      notes: notesOf(details),
      time: createdAt,
    })),
    ...visits.flatMap(({ _id, name, arrivedTime, leftTime }) => [
      { id: `${_id}-in`, text: tView("arrived", { name }), time: arrivedTime },
      ...(leftTime ? [{ id: `${_id}-out`, text: tView("left", { name }), time: leftTime }] : []),
    ]),
  ]
  const at = ({ time }: Entry) => parseTime(time)?.getTime() ?? 0
  if (entries.length === 0) return <p className="quiet">{t("noHistory")}</p>
  return (
    <>
      <ol className="history">
        {entries
          .toReversed()
          .toSorted((one, other) => at(other) - at(one))
          .map((entry) => (
            <li key={entry.id}>
              {entry.change ? (
                <div className="history-change">
                  <HistoryItem entry={entry.change} titles={titles} />
                </div>
              ) : (
                <>
                  <span>
                    {entry.text}
                    {entry.notes?.map((note) => (
                      <span key={note} className="history-note quiet">
                        {note}
                      </span>
                    ))}
                  </span>
                  <time className="quiet" dateTime={entry.time}>
                    {formats.dateTime(entry.time)}
                  </time>
                </>
              )}
            </li>
          ))}
      </ol>
      <MoreButton list={changes} />
      {"historiesUrl" in task && !all && (
        <Button variant="subtle" size="xs" loading={isWhole} onClick={() => setWhole(true)}>
          {t("showAllHistory")}
        </Button>
      )}
    </>
  )
}
