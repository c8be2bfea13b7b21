import "../../ui/StatusBadge.css"
import "./field.css"
import { useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { useEffect } from "react"
import { useLanguage } from "../../i18n/language.tsx"
import { LiveProvider, useConnection } from "../../live/live.tsx"
import { keepProbing, probe, useIsReachable, useReach } from "./connection.ts"
import { FieldNotices } from "./FieldNotices.tsx"
import { FieldContext, HeldContext } from "./field-context.ts"
import { renewPush } from "./inbox/push.ts"
import { addStartPictures, chooseManifest } from "./phone/installing.ts"
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
  const { field, held, isRead, isNotKept } = usePhone()
  const reach = useReach()
  const isReachable = useIsReachable()
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
    chooseManifest(language)
    // With the language in its address: the worker keeps that language's texts for the time without a network.
    void navigator.serviceWorker?.register(`/field-worker.js?language=${language}`).catch(() => undefined)
  }, [language])
  const { personKey } = field.store
  useEffect(() => {
    if (isReachable) void renewPush(personKey, language).catch(() => undefined)
  }, [isReachable, personKey, language])
  useEffect(keepProbing, [])
  useEffect(() => {
    // Later: nobody waits for it.
    const timer = setTimeout(() => void addStartPictures().catch(() => undefined), 3_000)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    // A lost stream may mean no network, no session, or a proxy that lets no stream through: the server knows.
    if (stream === "lost") void probe()
    if (stream === "open" || !isReachable) return
    const timer = setInterval(
      () => void client.invalidateQueries({ queryKey: ["tasks"] }),
      withoutEventsMilliseconds,
    )
    return () => clearInterval(timer)
  }, [stream, isReachable, client])
  return (
    <FieldContext value={field}>
      <HeldContext value={held}>
        <div className="field">
          <FieldNotices reach={reach} isNotKept={isNotKept} />
          {/* Without it, stops that are finished and not sent would look open for a moment. */}
          {isRead ? <Outlet /> : null}
        </div>
      </HeldContext>
    </FieldContext>
  )
}
