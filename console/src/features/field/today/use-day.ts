import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useSession } from "../../../session/session.ts"
import { type DoneTask, myDoneQuery, myTasksQuery } from "../field.queries.ts"
import { useField, useHeld } from "../field-context.ts"
import { isFinish, withProgress } from "../kept/field-sync.ts"
import { dayOfStop, inOrder, stillOpen, today } from "./order.ts"

const none: readonly DoneTask[] = []

/** The stops of the day as they are with what waits on the phone. */
export function useDay() {
  const { user, organization } = useSession()
  const { timeZone } = organization
  const { store } = useField()
  const { waiting } = useHeld()
  const { data: tasks, error } = useQuery(myTasksQuery(store, user.email))
  const { data: done = none } = useQuery(myDoneQuery(store, user.email))
  /** Titles of the stops that were finished here and are not sent, by task. */
  const finished = useMemo(
    () => new Map(waiting.filter(isFinish).map((entry) => [entry.taskId, entry.title])),
    [waiting],
  )
  const open = useMemo(() => {
    const left = stillOpen(tasks ?? [], done).filter(({ _id }) => !finished.has(_id))
    return inOrder(
      left.map((task) => withProgress(task, waiting)),
      timeZone,
    )
  }, [tasks, done, finished, waiting, timeZone])
  const doneCount = useMemo(() => {
    const openIds = new Set(open.map(({ _id }) => _id))
    const ids = [...finished.keys(), ...done.map(({ _id }) => _id)]
    return new Set(ids.filter((id) => !openIds.has(id))).size
  }, [open, finished, done])
  const date = today(timeZone)
  const ofToday = open.filter((task) => dayOfStop(task, timeZone) === date).length
  return { isRead: tasks !== undefined, error, open, ofToday, done, finished, doneCount }
}
