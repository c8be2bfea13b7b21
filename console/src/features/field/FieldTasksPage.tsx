import "./field.css"
import { ActionIcon, Alert, Button, Menu, Skeleton, Stack } from "@mantine/core"
import { IconDotsVertical, IconMapPin, IconMoodSmile } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, responseOf } from "../../api/client.ts"
import { parseTime, useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { BrandMark } from "../../shell/Brand.tsx"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { isOverdue } from "../work/tasks/list/columns.tsx"
import { myTasksQuery } from "./field.queries.ts"
import { markSession, NoPlaceError } from "./field-positions.ts"
import { clearFieldStore } from "./field-store.ts"
import { fieldMessages } from "./messages.ts"
import { useWaiting } from "./waiting.ts"

const sessionKeyOf = (email: string) => `fieldway.session-since.${email}`

export function FieldTasksPage() {
  const t = useMessages(fieldMessages)
  const formats = useFormats()
  const { user } = useSession()
  const { waiting } = useWaiting()
  const { data: tasks, error } = useQuery(myTasksQuery(user.email))
  const sent = new Set(waiting.map((entry) => entry.taskId))
  const open = (tasks ?? []).filter((task) => !sent.has(task._id))
  return (
    <>
      <header className="field-header">
        <BrandMark />
        <div className="user-names">
          <h1>{t("title")}</h1>
          <span className="user-role">{tasks ? t("open", { count: open.length }) : ""}</span>
        </div>
        <FieldMenu />
      </header>
      <main className="field-main">
        <SessionButton email={user.email} />
        <FormError error={tasks ? undefined : error} />
        {tasks === undefined && !error ? (
          <Stack gap="sm">
            <Skeleton h={76} />
            <Skeleton h={76} />
          </Stack>
        ) : null}
        {tasks && open.length === 0 ? (
          <EmptyState icon={IconMoodSmile} title={t("emptyTitle")} text={t("emptyText")} />
        ) : null}
        <ol className="field-tasks">
          {open.map((task, index) => (
            <li key={task._id}>
              <Link to={paths.fieldTask} params={{ taskId: task._id }} className="field-task">
                <span className="step-number" aria-hidden>
                  {index + 1}
                </span>
                <span className="field-task-words">
                  <strong>{task.title ?? task.flow}</strong>
                  {task.content ? (
                    <span className="quiet">
                      <IconMapPin size={14} aria-hidden /> {task.content}
                    </span>
                  ) : null}
                  <span className={isOverdue(task) ? "overdue" : "quiet"}>
                    {isOverdue(task) ? `${t("late")} · ` : ""}
                    {isEarly(task.startTime)
                      ? `${t("begins", { time: formats.dateTime(task.startTime) })} · `
                      : ""}
                    {t("due", { time: formats.dateTime(task.endTime) })}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      </main>
    </>
  )
}

function isEarly(startTime: string): boolean {
  return (parseTime(startTime)?.getTime() ?? 0) > Date.now()
}

function SessionButton({ email }: { email: string }) {
  const t = useMessages(fieldMessages)
  const formats = useFormats()
  const sessionKey = sessionKeyOf(email)
  const [since, setSince] = useState(() => localStorage.getItem(sessionKey) ?? undefined)
  const mark = useMutation({
    networkMode: "always",
    mutationFn: () => markSession(email, since ? "finish" : "start"),
    onSuccess: () => {
      if (since) localStorage.removeItem(sessionKey)
      else localStorage.setItem(sessionKey, new Date().toISOString())
      setSince(localStorage.getItem(sessionKey) ?? undefined)
    },
  })
  return (
    <div className="field-session">
      {since ? <span className="quiet">{t("working", { time: formats.time(since) })}</span> : null}
      <Button
        size="md"
        fullWidth={since === undefined}
        variant={since ? "default" : "light"}
        loading={mark.isPending}
        onClick={() => mark.mutate()}
      >
        {since ? t("finish") : t("start")}
      </Button>
      {mark.error instanceof NoPlaceError ? (
        <Alert color="red" role="alert">
          {t("noPlace")}
        </Alert>
      ) : (
        <FormError error={mark.error} />
      )}
    </div>
  )
}

function FieldMenu() {
  const t = useMessages(fieldMessages)
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mayAny } = useSession()
  const { waiting } = useWaiting()
  const leave = async () => {
    await responseOf(api.POST("/api/v3/logout")).catch(() => undefined)
    await clearFieldStore()
    await navigate({ to: paths.signIn, search: { next: paths.field } })
    client.clear()
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t("menu")} ml="auto">
          <IconDotsVertical size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayAny("view/task") ? (
          <Menu.Item component={Link} to={paths.today}>
            {t("console")}
          </Menu.Item>
        ) : null}
        <Menu.Item disabled={waiting.length > 0} onClick={() => void leave()}>
          {t("signOut")}
        </Menu.Item>
        {waiting.length > 0 ? <Menu.Label>{t("signOutLater")}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
