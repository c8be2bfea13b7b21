import "./run-calendar.css"
import { Badge, UnstyledButton } from "@mantine/core"
import { IconCalendarRepeat, IconPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ActionMenu } from "../../../ui/actions/ActionMenu.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { scheduleMessages } from "./messages.ts"
import { rhythmText } from "./rhythm.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { type Schedule, type ScheduleAction, scheduleActions, schedulesQuery } from "./schedules.queries.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(schedulesQuery)

const ScheduleRuns = lazy(() => import("./ScheduleRuns.tsx"))

/** `undefined`: no form; `null`: a new schedule. */
type Editing = Schedule | null | undefined

export function SchedulesPage() {
  const t = useMessages(scheduleMessages)
  const { may } = useSession()
  const hub = useChosenHub()
  const { data } = useSuspenseQuery(schedulesQuery)
  const [editing, setEditing] = useState<Editing>(undefined)
  const [openId, setOpenId] = useState<string>()
  const opened = data.find(({ _id }) => _id === openId)
  const schedules = data.filter((schedule) => hub === undefined || schedule.hubId === hub)
  const add = may("add/schedule") ? (
    <ActionButton icon={IconPlus} label={t("add")} onClick={() => setEditing(null)} />
  ) : null
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: schedules.length })}>
        {schedules.length > 0 ? add : null}
      </PageHeader>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {schedules.length === 0 ? (
          <EmptyState icon={IconCalendarRepeat} title={t("emptyTitle")} text={t("emptyText")}>
            {add}
          </EmptyState>
        ) : (
          <ScheduleTable schedules={schedules} onEdit={setEditing} onOpen={setOpenId} />
        )}
      </div>
      {editing === undefined ? null : (
        <ScheduleForm schedule={editing ?? undefined} onClose={() => setEditing(undefined)} />
      )}
      <Suspense fallback={null}>
        {opened ? <ScheduleRuns schedule={opened} onClose={() => setOpenId(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

const stateColors: Record<string, string> = {
  waiting: "blue",
  active: "pine",
  paused: "yellow",
  expired: "gray",
}
const states = ["waiting", "active", "paused", "expired"] as const

function ScheduleTable({
  schedules,
  onEdit,
  onOpen,
}: {
  schedules: readonly Schedule[]
  onEdit(schedule: Schedule): void
  onOpen(scheduleId: string): void
}) {
  const t = useMessages(scheduleMessages)
  const formats = useFormats()
  const { locale } = useLanguage()
  const { may } = useSession()
  const [removing, setRemoving] = useState<Schedule>()
  const act = useAction(
    async ({ schedule, action }: { schedule: Schedule; action: ScheduleAction }) => {
      await scheduleActions[action](schedule._id)
    },
    {
      refreshes: [schedulesQuery.queryKey],
      failed: ({ schedule }) => schedule.name,
      onDone: (_answer, { action, schedule }) => {
        if (action === "run") notifyDone(t("ran"))
        else notifyDone(action === "remove" ? t("removed", { name: schedule.name }) : t("changed"))
      },
    },
  )
  const mayEdit = may("edit/schedule")
  return (
    <>
      <DataTable
        rows={schedules}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            cell: ({ _id, name }) => (
              <UnstyledButton className="row-link" onClick={() => onOpen(_id)}>
                {name}
              </UnstyledButton>
            ),
          },
          {
            title: t("repeats"),
            from: "sm",
            cell: ({ timeSchedules }) => rhythmText(timeSchedules, t("daily"), locale),
          },
          { title: t("flow"), from: "md", kind: "quiet", cell: ({ flow }) => flow },
          {
            title: t("state"),
            cell: ({ state }) => {
              const known = states.find((candidate) => candidate === state)
              return <Badge color={stateColors[state] ?? "gray"}>{known ? t(known) : state}</Badge>
            },
          },
          {
            title: t("next"),
            kind: "quiet",
            cell: ({ pausedTime, nextExecution }) => (pausedTime ? "–" : formats.dateTime(nextExecution)),
          },
          {
            title: t("runs"),
            from: "md",
            kind: "quiet",
            cell: ({ executionCount, failedCount }) => (
              <>
                {formats.number(executionCount)}
                {failedCount > 0 ? (
                  <span className="overdue"> · {t("failed", { count: failedCount })}</span>
                ) : null}
              </>
            ),
          },
          {
            title: t("actions"),
            kind: "actions",
            cell: (schedule) => (
              <ActionMenu
                label={`${t("actions")}: ${schedule.name}`}
                actions={[
                  { label: t("openRuns"), onClick: () => onOpen(schedule._id) },
                  mayEdit && { label: t("edit"), onClick: () => onEdit(schedule) },
                  mayEdit &&
                    (schedule.pausedTime
                      ? { label: t("resume"), onClick: () => act.mutate({ schedule, action: "resume" }) }
                      : { label: t("pause"), onClick: () => act.mutate({ schedule, action: "pause" }) }),
                  mayEdit && { label: t("runNow"), onClick: () => act.mutate({ schedule, action: "run" }) },
                  may("delete/schedule") && {
                    label: t("delete"),
                    isDangerous: true,
                    onClick: () => setRemoving(schedule),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && act.mutate({ schedule: removing, action: "remove" })}
      />
    </>
  )
}
