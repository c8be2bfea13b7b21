import { ActionIcon, Badge, Button } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconChevronRight } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { memo, useMemo } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { fieldMessages } from "../messages.ts"
import { StopFacts } from "../stop/StopFacts.tsx"
import { StopLinks } from "../stop/StopLinks.tsx"
import { stopOf } from "../stop/stop.ts"
import type { StopTimes } from "../stop/stop-times.ts"
import { todayMessages } from "./today-messages.ts"

interface StopCardProps {
  task: Task
  flow: Flow | undefined
  number: number
  isNext: boolean
  isLate: boolean
  isEarly: boolean
  isDrafted: boolean
  times: StopTimes
  onOpen(taskId: string): void
  /** While the order is being changed: moves the stop up (-1) or down (1). */
  onMove: ((taskId: string, by: -1 | 1) => void) | undefined
}

/** One stop of the day; drawn again only when something about it changes: a day has many. */
export const StopCard = memo(function StopCard(props: StopCardProps) {
  const { task, flow, number, isNext, isLate, isEarly, isDrafted, times, onOpen, onMove } = props
  const t = useMessages(fieldMessages)
  const tToday = useMessages(todayMessages)
  const title = task.title ?? task.flow
  const stop = useMemo(() => stopOf(task, flow), [task, flow])
  const open = () => onOpen(task._id)
  const isArrived = typeof task.arrivedTime === "string" && task.arrivedTime !== ""
  return (
    <li className="stop-card" data-next={isNext || undefined}>
      {isNext ? <h2 className="stop-next">{t("nextStop")}</h2> : null}
      <Link to={paths.fieldTask} params={{ taskId: task._id }} className="stop-open" onClick={open}>
        <span className="step-number" aria-hidden>
          {number}
        </span>
        <strong className="stop-title">{title}</strong>
        <span className="stop-badges">
          {isLate ? <Badge color="red">{t("late")}</Badge> : null}
          {isEarly ? <Badge color="gray">{t("notYet")}</Badge> : null}
          {isArrived ? <Badge color="blue">{t("arrived")}</Badge> : null}
          {task.outcome === "skipped" ? <Badge color="yellow">{t("skipped")}</Badge> : null}
          {isDrafted ? <Badge color="yellow">{t("draft")}</Badge> : null}
        </span>
        <IconChevronRight size={20} aria-hidden className="stop-chevron" />
      </Link>
      {onMove ? (
        <div className="stop-moves">
          <ActionIcon
            size={48}
            variant="default"
            aria-label={tToday("moveUp", { title })}
            onClick={() => onMove(task._id, -1)}
          >
            <IconArrowUp size={24} />
          </ActionIcon>
          <ActionIcon
            size={48}
            variant="default"
            aria-label={tToday("moveDown", { title })}
            onClick={() => onMove(task._id, 1)}
          >
            <IconArrowDown size={24} />
          </ActionIcon>
        </div>
      ) : null}
      {onMove ? null : <StopFacts task={task} stop={stop} times={times} />}
      {onMove ? null : <StopLinks stop={stop} title={title} />}
      {isNext && !onMove ? (
        <Button
          size="lg"
          fullWidth
          renderRoot={(props) => (
            <Link {...props} to={paths.fieldTask} params={{ taskId: task._id }} onClick={open} />
          )}
        >
          {isDrafted ? t("goOn") : t("begin")}
        </Button>
      ) : null}
    </li>
  )
})
