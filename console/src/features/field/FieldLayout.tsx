import "../../ui/StatusBadge.css"
import "./field.css"
import { useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { useEffect } from "react"
import { useLanguage } from "../../i18n/language.tsx"
import { LiveProvider, useConnection } from "../../live/live.tsx"
import { keepProbing, probe, useReach } from "./connection.ts"
import { FieldNotices } from "./FieldNotices.tsx"
import { FieldContext } from "./field-context.ts"
import { renewPush } from "./inbox/push.ts"
import { usePhone } from "./use-phone.ts"

/** Without the event stream, such as behind a proxy that blocks it, the tasks are read again this often. */
const withoutEventsMilliseconds = 60_000

/** The phone page: keeps sending what waits, and shows how things stand. */
export function FieldLayout() {
  return (
    <LiveProvider>
      <FieldFrame />
    </LiveProvider>
  )
}

function FieldFrame() {
  const { field, isNotKept } = usePhone()
  const reach = useReach()
  const client = useQueryClient()
  const stream = useConnection()
  const { language } = useLanguage()
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return
    // A push message reached the phone: what it announces is read at once.
    const read = () => void client.invalidateQueries()
    navigator.serviceWorker.addEventListener("message", read)
    return () => navigator.serviceWorker.removeEventListener("message", read)
  }, [client])
  useEffect(() => {
    // With the language in its address: the worker keeps that language's texts for the time without a network.
    void navigator.serviceWorker?.register(`/field-worker.js?language=${language}`).catch(() => undefined)
  }, [language])
  const { personKey } = field.store
  useEffect(() => {
    if (reach === "online") void renewPush(personKey, language).catch(() => undefined)
  }, [reach, personKey, language])
  useEffect(keepProbing, [])
  useEffect(() => {
    // A lost stream may mean no network, no session, or a proxy that lets no stream through: the server knows.
    if (stream === "lost") void probe()
    if (stream === "open" || reach !== "online") return
    const timer = setInterval(
      () => void client.invalidateQueries({ queryKey: ["tasks"] }),
      withoutEventsMilliseconds,
    )
    return () => clearInterval(timer)
  }, [stream, reach, client])
  return (
    <FieldContext value={field}>
      <div className="field">
        <FieldNotices reach={reach} isNotKept={isNotKept} />
        <Outlet />
      </div>
    </FieldContext>
  )
}
