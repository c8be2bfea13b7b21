import "../../ui/StatusBadge.css"
import "./field.css"
import { Alert, Button, Group } from "@mantine/core"
import { useNetwork } from "@mantine/hooks"
import { IconCloudOff, IconCloudUp } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { Outlet, useNavigate } from "@tanstack/react-router"
import { useCallback, useEffect, useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { LiveProvider, useConnection } from "../../live/live.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { readAtKey } from "./field.queries.ts"
import { recordPositions } from "./field-positions.ts"
import { keep, recall, remove } from "./field-store.ts"
import { sendWaiting, takeBack, type Waiting, waitingTasks } from "./field-sync.ts"
import { fieldMessages } from "./messages.ts"
import { WaitingContext } from "./waiting.ts"

const retryMilliseconds = 15_000

/** The phone page: keeps sending what waits, and tells how things stand. */
export function FieldLayout() {
  return (
    <LiveProvider>
      <FieldFrame />
    </LiveProvider>
  )
}

function FieldFrame() {
  const t = useMessages(fieldMessages)
  const formats = useFormats()
  const { online } = useNetwork()
  // A browser may take any network for the internet: the event stream tells whether the server can be reached.
  const isReachable = useConnection() !== "lost" && online
  const { user } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState<Waiting[]>([])
  const refresh = useCallback(async () => setWaiting(await waitingTasks()), [])
  const send = useCallback(async () => {
    await refresh()
    await sendWaiting(() => void refresh())
    await client.invalidateQueries({ queryKey: ["tasks", "mine"] })
  }, [refresh, client])

  useEffect(() => {
    if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/field-worker.js")
  }, [])
  useEffect(() => recordPositions(user.email), [user.email])
  const [readAt, setReadAt] = useState<string>()
  useEffect(() => {
    if (!isReachable) void recall<string>("reads", readAtKey).then(setReadAt)
  }, [isReachable])
  useEffect(() => {
    if (!isReachable) return
    void send()
    const timer = setInterval(() => void sendWaiting(() => void refresh()), retryMilliseconds)
    return () => clearInterval(timer)
  }, [isReachable, send, refresh])

  const refused = waiting.filter((entry) => entry.refusal !== undefined)
  const pending = waiting.length - refused.length
  return (
    <WaitingContext.Provider value={{ waiting, send }}>
      <div className="field">
        {isReachable ? null : (
          <div className="field-notice" role="status">
            <IconCloudOff size={18} aria-hidden /> {t("offline")}
            {readAt ? ` ${t("asOf", { time: formats.dateTime(readAt) })}` : ""}
          </div>
        )}
        {pending > 0 ? (
          <div className="field-notice" role="status">
            <IconCloudUp size={18} aria-hidden /> {t("waiting", { count: pending })}
          </div>
        ) : null}
        {refused.map((entry) => (
          <Alert key={entry.taskId} color="red" m="sm" role="alert">
            {t("refused", { title: entry.title, reason: entry.refusal ?? "" })}
            <Group mt="xs" gap="xs">
              <Button
                size="compact-sm"
                onClick={async () => {
                  const { refusal: _refusal, ...again } = entry
                  await keep("waiting", entry.taskId, again)
                  await send()
                }}
              >
                {t("again")}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                onClick={async () => {
                  await takeBack(entry)
                  await client.invalidateQueries({ queryKey: ["field-draft", entry.taskId] })
                  await refresh()
                  await navigate({ to: paths.fieldTask, params: { taskId: entry.taskId } })
                }}
              >
                {t("change")}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                onClick={async () => {
                  if (!window.confirm(t("discardQuestion", { title: entry.title }))) return
                  await remove("waiting", entry.taskId)
                  await refresh()
                }}
              >
                {t("discard")}
              </Button>
            </Group>
          </Alert>
        ))}
        <Outlet />
      </div>
    </WaitingContext.Provider>
  )
}
