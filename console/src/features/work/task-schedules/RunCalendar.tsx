import "./run-calendar.css"
import { Group, Text, UnstyledButton } from "@mantine/core"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useMemo, useState } from "react"
import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { scheduleMessages } from "./messages.ts"

export interface RunCalendarProps {
  /** Instants of the coming runs. */
  runs: readonly string[]
  /** The schedule's zone: a run belongs to the day that it is there. */
  timeZone: string
  /** Days that are taken out, as `2031-05-04`. */
  skipped?: readonly string[]
  /** Days on which a run meets one of another schedule. */
  clashing?: ReadonlySet<string>
  /** Takes a day out, or puts it back; without it the calendar is only read. */
  onToggle?: ((day: string, isSkipped: boolean) => void) | undefined
}

/** A month at a time: the days on which the schedule runs, with their times. */
export function RunCalendar({ runs, timeZone, skipped = [], clashing, onToggle }: RunCalendarProps) {
  const t = useMessages(scheduleMessages)
  const { locale } = useLanguage()
  const formats = useFormats()
  const times = useMemo(() => timesByDay(runs, timeZone), [runs, timeZone])
  const days = [...times.keys(), ...skipped].toSorted()
  const today = localOf(new Date(), timeZone).slice(0, 10)
  const first = (days[0] ?? today).slice(0, 7)
  const last = (days.at(-1) ?? today).slice(0, 7)
  const [chosen, setChosen] = useState<string>()
  const month = chosen !== undefined && chosen >= first && chosen <= last ? chosen : first
  const title = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${month}-15T00:00:00Z`))
  const weekdayNames = weekdaysOf(locale)
  return (
    <div className="run-calendar">
      <Group justify="space-between" mb={6}>
        <IconButton
          icon={IconChevronLeft}
          label={t("monthBefore")}
          variant="subtle"
          disabled={month <= first}
          onClick={() => setChosen(addMonths(month, -1))}
        />
        <Text size="sm" fw={600} aria-live="polite">
          {title}
        </Text>
        <IconButton
          icon={IconChevronRight}
          label={t("monthAfter")}
          variant="subtle"
          disabled={month >= last}
          onClick={() => setChosen(addMonths(month, 1))}
        />
      </Group>
      <div className="run-weekdays" aria-hidden>
        {weekdayNames.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className="run-days">
        {daysOfMonth(month).map((day, index) => {
          const isSkipped = skipped.includes(day)
          const at = times.get(day) ?? []
          const state = isSkipped ? "skipped" : at.length > 0 ? "run" : "none"
          const words = [
            formats.day(day),
            isSkipped ? t("isSkipped") : at.join(", "),
            clashing?.has(day) ? t("clash") : "",
          ].filter((word) => word !== "")
          const content = (
            <>
              <span>{Number(day.slice(8))}</span>
              {clashing?.has(day) ? <span className="run-clash" aria-hidden /> : null}
            </>
          )
          return (
            <li key={day} style={index === 0 ? { gridColumnStart: columnOf(day) } : undefined}>
              {onToggle && state !== "none" ? (
                <UnstyledButton
                  className="run-day"
                  data-state={state}
                  data-today={day === today}
                  aria-pressed={!isSkipped}
                  aria-label={`${words.join(": ")}. ${isSkipped ? t("putBack") : t("skip")}`}
                  title={words.join(": ")}
                  onClick={() => onToggle(day, !isSkipped)}
                >
                  {content}
                </UnstyledButton>
              ) : (
                <span
                  className="run-day"
                  data-state={state}
                  data-today={day === today}
                  title={state === "none" ? undefined : words.join(": ")}
                >
                  {content}
                  {state === "none" ? null : <span className="run-words">{words.slice(1).join(", ")}</span>}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** Wall times of the runs of each day, as `08:00`. */
function timesByDay(runs: readonly string[], timeZone: string): Map<string, string[]> {
  const days = new Map<string, string[]>()
  for (const run of runs) {
    const instant = parseTime(run)
    if (!instant) continue
    const local = localOf(instant, timeZone)
    const day = local.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), local.slice(11, 16)])
  }
  return days
}

function daysOfMonth(month: string): string[] {
  const [year = 0, number = 1] = month.split("-").map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`)
}

function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/** 1 for Monday to 7. */
function columnOf(day: string): number {
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
}

function weekdaysOf(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" })
  // The fifth of January 2026 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(new Date(Date.UTC(2026, 0, 5 + index))))
}
