import "../../../ui/StatusBadge.css"
import "./list/views.css"
import { Button, SegmentedControl, UnstyledButton } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Fragment, useEffect, useMemo, useRef, useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { dayBound, instantOf, localOf } from "../../../i18n/day-bounds.ts"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { stepOf } from "../../../ui/reading-direction.ts"
import { addDays, byHour, daysAround, hoursOf, shiftCell } from "./calendar-days.ts"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { reschedule } from "./task-actions.ts"
import { calendarTasksQuery, type ListedTask, maxInCalendar, type taskPageQuery } from "./tasks.queries.ts"

export interface TaskCalendarProps {
  query: Parameters<typeof taskPageQuery>[0]
  /** The date that is looked at; today without it. */
  day: string | undefined
  span: "week" | "day"
  onChange(options: { day?: string | undefined; span?: "day" | undefined }): void
  onOpen(taskId: string): void
}

const maxInCell = 4
/** What Shift and an arrow add to a task's start. */
function hoursOfKey(key: string): number {
  return key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 24 * stepOf(key)
}

/** Tasks by the hour in which they start; a task that is dragged to another hour starts then. */
export default function TaskCalendar({ query, day, span: wantedSpan, onChange, onOpen }: TaskCalendarProps) {
  const t = useMessages(viewMessages)
  const tTask = useMessages(taskMessages)
  const tError = useMessages(errorMessages)
  const { locale } = useLanguage()
  const formats = useFormats()
  const { organization, may } = useSession()
  const { timeZone } = organization
  const client = useQueryClient()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const span = isNarrow ? "day" : wantedSpan
  const today = localOf(new Date(), timeZone).slice(0, 10)
  const date = day ?? today
  const days = daysAround(date, span)
  const range = {
    timeBy: "startTime" as const,
    timeFrom: dayBound(days[0] ?? date, "from", timeZone),
    timeTo: dayBound(days.at(-1) ?? date, "to", timeZone),
  }
  const { data, isPending } = useQuery(calendarTasksQuery({ ...query, ...range }))
  const cells = useMemo(() => byHour(data?.tasks ?? [], timeZone), [data, timeZone])
  const hours = hoursOf(cells)
  const [dragged, setDragged] = useState<ListedTask>()
  const [target, setTarget] = useState<string>()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const isMovable = may("edit/task")
  // Keyboard focus follows the task to its new place.
  const moved = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the task has another place when the tasks change
  useEffect(() => {
    document.querySelector<HTMLElement>(`[data-task="${moved.current}"]`)?.focus()
  }, [cells])
  // A week that is wider than its window begins with the day that is looked at.
  const scroller = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns show other days
  useEffect(() => {
    const head = scroller.current?.querySelector(`[data-day="${date}"]`)
    head?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [date, span])
  const move = useMutation({
    mutationFn: async ({ task, cell }: { task: ListedTask; cell: string }) => {
      const [start, end] = [parseTime(task.startTime), parseTime(task.endTime)]
      if (!start || !end) return
      const minutes = localOf(start, timeZone).slice(14, 16)
      const next = instantOf(`${cell}:${minutes}`, timeZone)
      await reschedule(task._id, next, new Date(end.getTime() + next.getTime() - start.getTime()))
      const title = task.title ?? tTask("untitled")
      notifyDone(t("rescheduled", { title, time: formats.dateTime(next.toISOString()) }))
    },
    // A moved task is not hidden behind "more" where it arrives.
    onMutate: ({ cell }) => setOpened((shown) => new Set([...shown, cell])),
    onError: (error, { task }) => notifyFailed(task.title ?? tTask("untitled"), errorText(error, tError)),
    onSettled: () => client.invalidateQueries({ queryKey: ["tasks"] }),
  })
  const heading = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  })
  const step = span === "week" ? 7 : 1
  const countOf = (shown: string) =>
    hours.reduce(
      (sum, hour) => sum + (cells.get(`${shown}T${String(hour).padStart(2, "0")}`)?.length ?? 0),
      0,
    )
  return (
    <div className="calendar" aria-busy={isPending}>
      <div className="toolbar calendar-bar">
        <IconButton
          icon={IconChevronLeft}
          label={t("before")}
          iconSize={18}
          variant="default"
          size="lg"
          onClick={() => onChange({ day: addDays(date, -step) })}
        />
        <Button variant="default" onClick={() => onChange({ day: undefined })}>
          {t("today")}
        </Button>
        <IconButton
          icon={IconChevronRight}
          label={t("after")}
          iconSize={18}
          variant="default"
          size="lg"
          onClick={() => onChange({ day: addDays(date, step) })}
        />
        {isNarrow ? null : (
          <SegmentedControl
            aria-label={tTask("calendar")}
            value={span}
            data={[
              { value: "week", label: t("week") },
              { value: "day", label: t("day") },
            ]}
            onChange={(value) => onChange({ span: value === "day" ? "day" : undefined })}
          />
        )}
        <span className="quiet" role="status">
          {data ? (data.total === 0 ? t("noTasks") : t("dayTasks", { count: data.total })) : ""}
          {isMovable && !isNarrow && data && data.total > 0 ? ` · ${t("moveHint")}` : ""}
        </span>
      </div>
      {data && data.total > maxInCalendar ? (
        <p className="calendar-note">{t("calendarLimit", { count: maxInCalendar })}</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div ref={scroller} className="calendar-scroll" tabIndex={0}>
        <div
          className="calendar-grid"
          style={{ gridTemplateColumns: `52px repeat(${days.length}, minmax(118px, 1fr))` }}
        >
          <div className="calendar-head" />
          {days.map((shown) => (
            <div key={shown} className="calendar-head" data-day={shown} data-today={shown === today}>
              <strong>{heading.format(new Date(`${shown}T00:00:00Z`))}</strong>
              <span className="quiet">{countOf(shown) || ""}</span>
            </div>
          ))}
          {hours.map((hour) => {
            const clock = String(hour).padStart(2, "0")
            return (
              <Fragment key={hour}>
                <div className="calendar-hour quiet">{clock}:00</div>
                {days.map((shown) => {
                  const cell = `${shown}T${clock}`
                  const tasks = cells.get(cell) ?? []
                  const isAll = opened.has(cell) || span === "day"
                  const listed = isAll ? tasks : tasks.slice(0, maxInCell)
                  return (
                    // biome-ignore lint/a11y/noStaticElementInteractions: tasks move by Shift and the arrows too
                    <div
                      key={cell}
                      className="calendar-cell"
                      data-cell={cell}
                      data-over={target === cell}
                      data-today={shown === today}
                      onDragOver={(event) => {
                        if (!dragged) return
                        event.preventDefault()
                        setTarget(cell)
                      }}
                      onDrop={() => {
                        setTarget(undefined)
                        if (dragged) move.mutate({ task: dragged, cell })
                      }}
                    >
                      {listed.map((task) => (
                        <UnstyledButton
                          key={task._id}
                          className="calendar-task"
                          data-status={task.status}
                          draggable={isMovable}
                          title={`${formats.time(task.startTime)} ${task.title ?? tTask("untitled")} · ${tTask(task.status)}`}
                          data-task={task._id}
                          onClick={() => onOpen(task._id)}
                          onKeyDown={(event) => {
                            const hours = event.shiftKey ? hoursOfKey(event.key) : 0
                            if (hours === 0 || !isMovable) return
                            event.preventDefault()
                            moved.current = task._id
                            move.mutate({ task, cell: shiftCell(cell, hours) })
                          }}
                          onDragStart={(event) => {
                            event.dataTransfer.setData("text/plain", task._id)
                            setDragged(task)
                          }}
                          onDragEnd={() => {
                            setDragged(undefined)
                            setTarget(undefined)
                          }}
                        >
                          {task.title ?? tTask("untitled")}
                        </UnstyledButton>
                      ))}
                      {tasks.length > listed.length ? (
                        <UnstyledButton
                          className="calendar-more"
                          onClick={() => setOpened(new Set([...opened, cell]))}
                        >
                          {t("more", { count: tasks.length - listed.length })}
                        </UnstyledButton>
                      ) : null}
                    </div>
                  )
                })}
              </Fragment>
            )
          })}
        </div>
      </div>
    </div>
  )
}
