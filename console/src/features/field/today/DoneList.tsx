import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import type { DoneTask } from "../field.queries.ts"
import { fieldMessages } from "../messages.ts"
import { useStopTimes } from "../stop/stop-times.ts"

/** What was finished within a day, and what waits to be sent. */
export function DoneList({
  done,
  waiting,
}: {
  done: readonly DoneTask[]
  waiting: ReadonlyMap<string, string>
}) {
  const t = useMessages(fieldMessages)
  const [isOpen, setOpen] = useState(false)
  const sent = done.filter(({ _id }) => !waiting.has(_id))
  if (sent.length + waiting.size === 0) return null
  return (
    <details className="field-done" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("doneToday", { count: sent.length + waiting.size })}</summary>
      {isOpen ? <DoneEntries sent={sent} waiting={waiting} /> : null}
    </details>
  )
}

function DoneEntries({ sent, waiting }: { sent: readonly DoneTask[]; waiting: ReadonlyMap<string, string> }) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  return (
    <ul>
      {[...waiting].map(([taskId, title]) => (
        <li key={taskId}>
          <span>{title}</span>
          <span className="quiet">{t("unsent")}</span>
        </li>
      ))}
      {sent.map(({ _id, title, flow, doneTime, outcome }) => (
        <li key={_id}>
          <Link className="done-link" to={paths.fieldDone} params={{ taskId: _id }}>
            {title ?? flow}
          </Link>
          <span className="quiet">
            {typeof outcome === "string" && isKnownOutcome(outcome) ? `${t(outcome)} · ` : ""}
            {times.at(doneTime)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function isKnownOutcome(outcome: string): outcome is "partial" | "failed" | "returned" {
  return ["partial", "failed", "returned"].includes(outcome)
}
