import { ActionIcon, Badge, Button } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconChevronRight } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { parseTime } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow } from "../clock.ts"
import { fieldMessages } from "../messages.ts"
import { StopFacts } from "../stop/StopFacts.tsx"
import { StopLinks } from "../stop/StopLinks.tsx"
import type { Stop } from "../stop/stop.ts"
import { todayMessages } from "./today-messages.ts"

interface StopCardProps {
  task: Task
  stop: Stop
  number: number
  isNext?: boolean
  isDrafted: boolean
  /** While the order is being changed: moves the stop up (-1) or down (1). */
  onMove?: ((by: -1 | 1) => void) | undefined
}

/** One stop of the day. */
export function StopCard({ task, stop, number, isNext = false, isDrafted, onMove }: StopCardProps) {
  const t = useMessages(fieldMessages)
  const tToday = useMessages(todayMessages)
  const title = task.title ?? task.flow
  const now = serverNow()
  const isLate = (parseTime(task.endTime)?.getTime() ?? now) < now
  const isEarly = (parseTime(task.startTime)?.getTime() ?? 0) > now
  const isArrived = typeof task.arrivedTime === "string" && task.arrivedTime !== ""
  return (
    <li className="stop-card" data-next={isNext || undefined}>
      {isNext ? <h2 className="stop-next">{t("nextStop")}</h2> : null}
      <Link to={paths.fieldTask} params={{ taskId: task._id }} className="stop-open">
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
            onClick={() => onMove(-1)}
          >
            <IconArrowUp size={24} />
          </ActionIcon>
          <ActionIcon
            size={48}
            variant="default"
            aria-label={tToday("moveDown", { title })}
            onClick={() => onMove(1)}
          >
            <IconArrowDown size={24} />
          </ActionIcon>
        </div>
      ) : null}
      {onMove ? null : <StopFacts task={task} stop={stop} />}
      {onMove ? null : <StopLinks stop={stop} title={title} />}
      {isNext && !onMove ? (
        <Button
          size="lg"
          fullWidth
          renderRoot={(props) => <Link {...props} to={paths.fieldTask} params={{ taskId: task._id }} />}
        >
          {isDrafted ? t("goOn") : t("begin")}
        </Button>
      ) : null}
    </li>
  )
}
