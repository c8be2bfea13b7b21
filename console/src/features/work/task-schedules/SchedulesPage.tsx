import "./run-calendar.css"
import { ActionIcon, Badge, Button, Menu, UnstyledButton } from "@mantine/core"
import { IconCalendarRepeat, IconDots, IconPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { Explained } from "../../../ui/Explained.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { useAction } from "../../../ui/use-action.ts"
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
  const tShell = useMessages(shellMessages)
  const { may } = useSession()
  const hub = useChosenHub()
  const { data } = useSuspenseQuery(schedulesQuery)
  const [editing, setEditing] = useState<Editing>(undefined)
  const [openId, setOpenId] = useState<string>()
  const opened = data.find(({ _id }) => _id === openId)
  const schedules = data.filter((schedule) => hub === undefined || schedule.hubId === hub)
  const add = (
    <Explained reason={may("add/schedule") ? undefined : tShell("needs", { permission: "add/schedule" })}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing(null)}>
        {t("add")}
      </Button>
    </Explained>
  )
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
  const { language } = useLanguage()
  const locale = language === "en" ? "en-GB" : language
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
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("name")}</th>
            <th className="from-sm">{t("repeats")}</th>
            <th className="from-md">{t("flow")}</th>
            <th>{t("state")}</th>
            <th>{t("next")}</th>
            <th className="from-md">{t("runs")}</th>
            <th aria-label={t("actions")} />
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => {
            const state = states.find((known) => known === schedule.state)
            return (
              <tr key={schedule._id}>
                <td>
                  <UnstyledButton className="row-link" onClick={() => onOpen(schedule._id)}>
                    {schedule.name}
                  </UnstyledButton>
                </td>
                <td className="from-sm">{rhythmText(schedule.timeSchedules, t("daily"), locale)}</td>
                <td className="quiet from-md">{schedule.flow}</td>
                <td>
                  <Badge color={stateColors[schedule.state] ?? "gray"}>
                    {state ? t(state) : schedule.state}
                  </Badge>
                </td>
                <td className="quiet">
                  {schedule.pausedTime ? "–" : formats.dateTime(schedule.nextExecution)}
                </td>
                <td className="quiet from-md">
                  {formats.number(schedule.executionCount)}
                  {schedule.failedCount > 0 ? (
                    <span className="overdue"> · {t("failed", { count: schedule.failedCount })}</span>
                  ) : null}
                </td>
                <td align="right">
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon aria-label={`${t("actions")}: ${schedule.name}`}>
                        <IconDots size={18} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => onOpen(schedule._id)}>{t("openRuns")}</Menu.Item>
                      {may("edit/schedule") ? (
                        <>
                          <Menu.Item onClick={() => onEdit(schedule)}>{t("edit")}</Menu.Item>
                          <Menu.Item
                            onClick={() =>
                              act.mutate({ schedule, action: schedule.pausedTime ? "resume" : "pause" })
                            }
                          >
                            {schedule.pausedTime ? t("resume") : t("pause")}
                          </Menu.Item>
                          <Menu.Item onClick={() => act.mutate({ schedule, action: "run" })}>
                            {t("runNow")}
                          </Menu.Item>
                        </>
                      ) : null}
                      {may("delete/schedule") ? (
                        <Menu.Item color="red" onClick={() => setRemoving(schedule)}>
                          {t("delete")}
                        </Menu.Item>
                      ) : null}
                    </Menu.Dropdown>
                  </Menu>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
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
