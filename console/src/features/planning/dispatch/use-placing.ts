import { useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { notifyFailed } from "../../../ui/notify.ts"
import { previewOf } from "./desk-rows.ts"
import { useDeskStore } from "./desk-store.ts"
import { type DispatchDay, dayQuery } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"
import { type Placement, placeTasks, withPlacement } from "./place-tasks.ts"
import type { Desk } from "./use-dispatch-day.ts"
import { readOnRoads } from "./use-travel.ts"

interface PlaceInput {
  ids: readonly string[]
  /** Null unassigns. */
  email: string | null
  from?: string | undefined
  /** Undefined: where they fit best. */
  at?: number | undefined
}

/** Gives tasks to people and orders them; the screen shows it before the server has answered. */
export function usePlacing(desk: Desk) {
  const t = useMessages(dispatchMessages)
  const { may } = useSession()
  const store = useDeskStore()
  const client = useQueryClient()
  const hub = useChosenHub()
  const send = useAction(
    async (placement: Placement) => {
      await client.cancelQueries({ queryKey: ["dispatch", "day"] })
      const show = (known: DispatchDay | undefined) => known && withPlacement(known, placement)
      client.setQueriesData({ queryKey: ["dispatch", "day", hub ?? ""] }, show)
      return placeTasks(placement)
    },
    {
      refreshes: [dayQuery(hub, undefined).queryKey.slice(0, 2), ["tasks"]],
      failed: () => t("placeFailed"),
      done: ({ refused }, { tasks, email, order }) => {
        const [first] = refused
        if (first)
          notifyFailed(t("placeFailed"), t("refusedTasks", { count: refused.length, reason: first.reason }))
        const count =
          tasks.length - (order ? refused.filter(({ taskId }) => isOf(tasks, taskId)).length : refused.length)
        const name = desk.rowOf.get(email ?? "")?.person.name ?? ""
        if (count === 0) return undefined
        return email === null ? t("unplaced", { count }) : t("placed", { count, name })
      },
    },
  )
  const place = async ({ ids, email, from, at }: PlaceInput) => {
    const tasks = ids.flatMap((id) => desk.taskOf.get(id) ?? []).filter(({ status }) => status !== "DONE")
    if (tasks.length === 0 || !may("assign/task")) return
    const row = email === null ? undefined : desk.rowOf.get(email)
    const isNothing = email === null && tasks.every(({ assignee }) => assignee.length === 0)
    if (isNothing) return
    store.set({ selected: new Set() })
    const isOrdered = row && may("edit/task")
    // Where they fit best depends on the way.
    const placed =
      isOrdered && at === undefined && desk.day.hasRoads ? await readOnRoads(client, row, tasks) : row
    const order =
      isOrdered && placed
        ? previewOf(placed, tasks, at)
            .stops.filter(({ isDone }) => !isDone)
            .map(({ id }) => id)
        : undefined
    send.mutate({ tasks, email, from, order, day: desk.day })
  }
  const reorder = useCallback(
    (email: string, taskId: string, by: 1 | -1) => {
      const row = desk.rowOf.get(email)
      const task = desk.taskOf.get(taskId)
      if (!row || !task || !may("edit/task")) return
      const order = row.stops.filter(({ isDone }) => !isDone).map(({ id }) => id)
      const at = order.indexOf(taskId)
      const other = order[at + by]
      if (at < 0 || other === undefined) return
      order[at] = other
      order[at + by] = taskId
      send.mutate({ tasks: [task], email, from: email, order, day: desk.day })
    },
    [desk, may, send.mutate],
  )
  return { place, reorder }
}

const isOf = (tasks: Placement["tasks"], taskId: string) => tasks.some(({ _id }) => _id === taskId)
