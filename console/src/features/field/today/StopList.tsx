import { useQueries } from "@tanstack/react-query"
import { Fragment, useDeferredValue } from "react"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useSession } from "../../../session/session.ts"
import { useNow } from "../../../ui/now.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow } from "../clock.ts"
import { myFlowQuery } from "../field.queries.ts"
import { useField, useHeld } from "../field-context.ts"
import { noteOpenedStop, openedStop } from "../stop/opened-stop.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import { dayOfStop, today } from "./order.ts"
import { StopCard } from "./StopCard.tsx"
import { useReorder } from "./use-reorder.ts"

/** As many cards as a tall phone shows below the rest; the others are drawn while the person reads these. */
const drawnFirst = 4
const everyMilliseconds = 60_000

interface StopListProps {
  /** In the order of the day. */
  stops: readonly Task[]
  doneCount: number
  isReordering: boolean
}

/** The stops that are open, the next one first; those of later days under their dates. */
export function StopList({ stops, doneCount, isReordering }: StopListProps) {
  const { drafted } = useHeld()
  useNow(everyMilliseconds)
  const opened = stops.findIndex(({ _id }) => _id === openedStop())
  const shown = useDeferredValue(stops, stops.slice(0, opened + drawnFirst))
  const flows = useFlows(stops)
  const times = useStopTimes()
  const formats = useFormats()
  const { timeZone } = useSession().organization
  const reorder = useReorder()
  const dayOf = (task: Task) => dayOfStop(task, timeZone)
  const move = (taskId: string, by: -1 | 1) => {
    const task = stops.find(({ _id }) => _id === taskId)
    const ofDay = stops.filter((stop) => task && dayOf(stop) === dayOf(task))
    const from = ofDay.findIndex(({ _id }) => _id === taskId)
    void reorder(ofDay, from, from + by)
  }
  const now = serverNow()
  const beginsDay = (task: Task, index: number) => {
    const before = shown[index - 1]
    return dayOf(task) !== (before ? dayOf(before) : today(timeZone))
  }
  return (
    <ol className="field-tasks">
      {shown.map((task, index) => (
        <Fragment key={task._id}>
          {beginsDay(task, index) ? (
            <li className="stop-day">
              <h2>{formats.weekdayDate(task.startTime)}</h2>
            </li>
          ) : null}
          <StopCard
            task={task}
            flow={flows.get(task.flowId)}
            number={doneCount + index + 1}
            isNext={index === 0}
            isLate={(parseTime(task.endTime)?.getTime() ?? now) < now}
            isEarly={(parseTime(task.startTime)?.getTime() ?? 0) > now}
            isDrafted={drafted.has(task._id)}
            times={times}
            onOpen={noteOpenedStop}
            onMove={isReordering ? move : undefined}
          />
        </Fragment>
      ))}
    </ol>
  )
}

function useFlows(tasks: readonly Task[]) {
  const { store } = useField()
  const ids = [...new Set(tasks.map(({ flowId }) => flowId))]
  return useQueries({
    queries: ids.map((id) => myFlowQuery(store, id)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data._id, data] as const] : []))),
  })
}
