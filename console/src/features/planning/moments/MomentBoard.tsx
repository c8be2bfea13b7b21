import "../../work/tasks/list/views.css"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useRef } from "react"
import { type TaskStatus, taskStatuses } from "#shared/task-status.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { StatusBadge } from "../../../ui/StatusBadge.tsx"
import { viewMessages } from "../../work/tasks/list/view-messages.ts"
import { taskMessages } from "../../work/tasks/messages.ts"
import { usePeopleNames } from "../../work/tasks/people.ts"
import type { Moment } from "./moment.queries.ts"

/** Pixels of a card with the space below it. */
const cardHeight = 92

/** The board of tasks as it was: one column for each status. */
export default function MomentBoard({ moment }: { moment: Moment | undefined }) {
  const tasks = Map.groupBy(moment?.tasks ?? [], ({ status }) => status)
  return (
    <div className="board moment-board">
      {taskStatuses.map((status) => (
        <Column key={status} status={status} tasks={tasks.get(status) ?? []} />
      ))}
    </div>
  )
}

function Column({ status, tasks }: { status: TaskStatus; tasks: Moment["tasks"] }) {
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const formats = useFormats()
  const names = usePeopleNames()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    overscan: 6,
  })
  return (
    <section className="board-column" aria-label={t(status)}>
      <header className="board-head">
        <StatusBadge status={status} label={t(status)} />
        <span className="quiet">{formats.number(tasks.length)}</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div ref={scroller} className="board-scroll" tabIndex={0}>
        {tasks.length === 0 ? <p className="quiet board-empty">{tView("columnEmpty")}</p> : null}
        <ul className="board-cards" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <li key={index} style={{ transform: `translateY(${start}px)` }}>
              <div className="task-card">
                <div className="task-card-open">
                  <span className="task-card-title" dir="auto">
                    {tasks[index]?.title ?? t("untitled")}
                  </span>
                  <span className="quiet truncate">
                    {formats.list((tasks[index]?.assignee ?? []).map((email) => names.get(email) ?? email))}
                  </span>
                </div>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
