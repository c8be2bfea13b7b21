import "../../ui/StatusBadge.css"
import "./field.css"
import { useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { useEffect } from "react"
import { LiveProvider, useConnection } from "../../live/live.tsx"
import { keepProbing, probe, useReach } from "./connection.ts"
import { FieldNotices } from "./FieldNotices.tsx"
import { FieldContext } from "./field-context.ts"
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
  useEffect(() => {
    if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/field-worker.js")
  }, [])
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
