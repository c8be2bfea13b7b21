import { VisuallyHidden } from "@mantine/core"
import { useMessages } from "../i18n/language.tsx"
import { useConnection } from "../live/live.tsx"
import { shellMessages } from "./messages.ts"

/** Whether changes arrive by themselves. Said aloud by screen readers when it changes. */
export function ConnectionState({ isCompact = false }: { isCompact?: boolean }) {
  const t = useMessages(shellMessages)
  const state = useConnection()
  const text = { open: t("live"), connecting: t("connecting"), lost: t("lost") }[state]
  return (
    <div
      className="connection"
      data-state={state}
      role="status"
      title={state === "lost" ? t("lostHint") : t("liveHint")}
    >
      <span className="connection-dot" aria-hidden />
      {isCompact && state === "open" ? <VisuallyHidden>{text}</VisuallyHidden> : <span>{text}</span>}
    </div>
  )
}
