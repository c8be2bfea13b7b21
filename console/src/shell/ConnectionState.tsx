import "./ConnectionState.css"
import { VisuallyHidden } from "@mantine/core"
import { useEffect, useState } from "react"
import { useFormats } from "../i18n/formats.ts"
import { useMessages } from "../i18n/language.tsx"
import { useConnection } from "../live/live.tsx"
import { shellMessages } from "./messages.ts"

/** Whether changes arrive by themselves. Announced by screen readers when it changes. */
export function ConnectionState({ isCompact = false }: { isCompact?: boolean }) {
  const t = useMessages(shellMessages)
  const state = useConnection()
  const formats = useFormats()
  const [lostAt, setLostAt] = useState<string>()
  useEffect(() => {
    if (state === "lost") setLostAt((since) => since ?? new Date().toISOString())
    if (state === "open") setLostAt(undefined)
  }, [state])
  const text = { open: t("live"), connecting: t("connecting"), lost: t("lost") }[state]
  const hint = lostAt ? t("asOf", { time: formats.time(lostAt) }) : t("lostHint")
  return (
    <div
      className="connection"
      data-state={state}
      role="status"
      title={state === "lost" ? hint : t("liveHint")}
    >
      <span className="connection-dot" aria-hidden />
      {state === "open" ? <VisuallyHidden>{text}</VisuallyHidden> : <span>{text}</span>}
      {state === "lost" && !isCompact ? <span className="quiet">{hint}</span> : null}
    </div>
  )
}
