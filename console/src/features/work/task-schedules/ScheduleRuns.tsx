import { Badge, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { Panel } from "../../../ui/layout/Panel.tsx"
import { ButtonLink } from "../../../ui/links.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { scheduleMessages } from "./messages.ts"
import { RunCalendar } from "./RunCalendar.tsx"
import { storedRecurrence } from "./schedule-when.ts"
import {
  previewQuery,
  runsQuery,
  type Schedule,
  type ScheduleRun,
  schedulesQuery,
  skipDate,
} from "./schedules.queries.ts"

/** What a schedule did and will do: the calendar of its runs, where days are taken out, and the log. */
export default function ScheduleRuns({ schedule, onClose }: { schedule: Schedule; onClose(): void }) {
  const t = useMessages(scheduleMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: preview, error } = useQuery(
    previewQuery(storedRecurrence(schedule), { scheduleId: schedule._id }),
  )
  const { data: log, error: logError } = useQuery(runsQuery(schedule._id))
  const skip = useAction(
    ({ day, isSkipped }: { day: string; isSkipped: boolean }) => skipDate(schedule._id, day, isSkipped),
    {
      refreshes: [schedulesQuery.queryKey],
      done: (_answer, { day, isSkipped }) =>
        t(isSkipped ? "skipDone" : "putBackDone", { date: formats.day(day) }),
    },
  )
  const mayEdit = may("edit/schedule")
  return (
    <Panel onClose={onClose} size={500} title={schedule.name}>
      <Stack gap="md">
        <FormError error={error ?? logError ?? skip.error} />
        {preview ? (
          <section aria-label={t("upcoming")}>
            <h3 className="panel-heading">{t("upcoming")}</h3>
            <Text size="sm" mb="xs">
              {preview.summary}
            </Text>
            {schedule.pausedTime ? (
              <Text size="sm" className="overdue" mb="xs">
                {t("pausedSince", { time: formats.dateTime(schedule.pausedTime) })}
              </Text>
            ) : null}
            {preview.runs.length === 0 ? (
              <p className="quiet">{t("never")}</p>
            ) : (
              <>
                {mayEdit ? <p className="quiet">{t("skipHint")}</p> : null}
                <RunCalendar
                  runs={preview.runs}
                  timeZone={schedule.timeZone}
                  skipped={schedule.skippedDates}
                  onToggle={mayEdit ? (day, isSkipped) => skip.mutate({ day, isSkipped }) : undefined}
                />
              </>
            )}
          </section>
        ) : null}
        <section aria-label={t("log")}>
          <h3 className="panel-heading">{t("log")}</h3>
          {log && log.runs.length === 0 ? <p className="quiet">{t("noRuns")}</p> : null}
          {log && log.runs.length > 0 ? <RunTable runs={log.runs} /> : null}
          {log && log.total > log.runs.length ? (
            <p className="quiet">{t("olderRuns", { count: log.total - log.runs.length })}</p>
          ) : null}
        </section>
      </Stack>
    </Panel>
  )
}

const runColors: Record<string, string> = { SUCCESS: "pine", FAILED: "red", SKIPPED: "gray" }
const outcomes = ["SUCCESS", "FAILED", "SKIPPED"] as const

function RunTable({ runs }: { runs: readonly ScheduleRun[] }) {
  const t = useMessages(scheduleMessages)
  const formats = useFormats()
  return (
    <DataTable
      rows={runs}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("runAt"),
          cell: ({ occurrence, executedTime }) => (
            <>
              {formats.dateTime(occurrence ?? executedTime)}
              {occurrence === null ? <span className="quiet"> · {t("byHand")}</span> : null}
            </>
          ),
        },
        {
          title: t("state"),
          cell: ({ status }) => {
            const outcome = outcomes.find((known) => known === status)
            return <Badge color={runColors[status] ?? "gray"}>{outcome ? t(outcome) : status}</Badge>
          },
        },
        {
          title: t("what"),
          cell: ({ taskId, message }) =>
            taskId ? (
              <ButtonLink to={paths.tasks} search={{ task: taskId }} size="compact-sm" variant="subtle">
                {t("openTask")}
              </ButtonLink>
            ) : (
              <span className="quiet">{message.join(" ")}</span>
            ),
        },
      ]}
    />
  )
}
