import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useExpectedArrival } from "./expected-arrival.ts"
import { isOverdue } from "./list/columns.tsx"
import { taskMessages } from "./messages.ts"
import type { ListedTask } from "./tasks.queries.ts"

/** A task in few words, on the board. */
export function TaskCardBody({ task, people }: { task: ListedTask; people: ReadonlyMap<string, string> }) {
  const t = useMessages(taskMessages)
  const formats = useFormats()
  const arrival = useExpectedArrival()(task)
  const names = formats.list(task.assignee.map((email) => people.get(email) ?? email))
  return (
    <>
      <span className="task-card-title">{task.title ?? t("untitled")}</span>
      {task.content ? (
        <span className="quiet truncate" dir="auto">
          {task.content}
        </span>
      ) : null}
      <span className="task-card-facts">
        <span className={isOverdue(task) ? "overdue" : "quiet"}>{formats.dateTime(task.endTime)}</span>
        <span className="quiet truncate">{names}</span>
      </span>
      {arrival ? (
        <span className={`task-card-facts ${arrival.isLate ? "overdue" : "quiet"}`}>
          {t("expectedAt", { time: arrival.text })}
        </span>
      ) : null}
    </>
  )
}
