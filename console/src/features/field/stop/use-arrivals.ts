import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { parseTime } from "../../../i18n/formats.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow, stampOf } from "../clock.ts"
import { myFlowQuery, myTasksQuery } from "../field.queries.ts"
import { keepEntry } from "../kept/field-other.ts"
import type { PersonStore } from "../kept/field-store.ts"
import { waitingTasks, withProgress } from "../kept/field-sync.ts"
import { type Sighting, stopFollower } from "./follow-stops.ts"
import { placed, readLeaving, writeLeaving } from "./leaving.ts"
import { fieldKey } from "./stop-rules.ts"

const lookEveryMilliseconds = 10_000
/** Who passes a place long before its task begins does not come for it. */
const earlyMilliseconds = 2 * 3_600_000

interface ArrivalOptions {
  store: PersonStore
  email: string
  /** While positions are recorded. */
  isActive: boolean
  onKept(): void
  onNotKept(): void
}

/** Says by itself when the person arrives at a stop and leaves it, as the buttons do. Returns a listener of positions. */
export function useArrivals({ store, email, isActive, onKept, onNotKept }: ArrivalOptions) {
  const client = useQueryClient()
  const heard = useRef({ onKept, onNotKept })
  heard.current = { onKept, onNotKept }
  const look = useMemo(() => {
    const follower = stopFollower()
    const said = new Set<string>()
    const say = async (sighting?: Sighting) => {
      const tasks = client.getQueryData<Task[]>(myTasksQuery(store, email).queryKey) ?? []
      const waiting = await waitingTasks(store)
      const keyFor = ({ flowId }: Task) => {
        const flow = client.getQueryData(myFlowQuery(store, flowId).queryKey)
        return flow ? fieldKey(flow, "arrivedTime") : "arrivedTime"
      }
      const isFinished = ({ _id }: Task) =>
        waiting.some(({ kind, taskId }) => taskId === _id && kind === undefined)
      const open = tasks.filter(
        (task) =>
          !said.has(task._id) &&
          !isFinished(task) &&
          (parseTime(task.startTime)?.getTime() ?? 0) < serverNow() + earlyMilliseconds &&
          !withProgress(task, waiting)[keyFor(task)],
      )
      const leaving = readLeaving(store.personKey)
      const { arrived, left } = follower.look(
        Date.now(),
        {
          open: open.flatMap(({ _id, expectedCoordinate }) => placed(_id, expectedCoordinate)),
          finished: leaving.flatMap(({ taskId, coordinate }) => placed(taskId, coordinate)),
        },
        sighting,
      )
      for (const { taskId, device } of arrived) {
        const task = open.find(({ _id }) => _id === taskId)
        if (!task) continue
        said.add(taskId)
        const stop = { taskId, title: task.title ?? task.flow, timeField: keyFor(task) }
        await keepEntry(store, { kind: "progress", by: email, stamp: stampOf(device), ...stop })
      }
      for (const { taskId, device } of left) {
        const stop = leaving.find((one) => one.taskId === taskId)
        if (!stop) continue
        const { coordinate: _coordinate, ...rest } = stop
        await keepEntry(store, { kind: "progress", by: email, stamp: stampOf(device), ...rest })
        const others = readLeaving(store.personKey).filter((one) => one.taskId !== taskId)
        writeLeaving(store.personKey, others)
      }
      if (arrived.length + left.length > 0) heard.current.onKept()
    }
    // One after the other: what one look said, the next one knows.
    let queue = Promise.resolve()
    return (sighting?: Sighting) => {
      queue = queue.then(() => say(sighting)).catch(() => heard.current.onNotKept())
    }
  }, [client, store, email])
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => look(), lookEveryMilliseconds)
    return () => clearInterval(timer)
  }, [isActive, look])
  return look
}
