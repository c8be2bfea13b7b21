import { IconAlertTriangle, IconCheck, IconClock } from "@tabler/icons-react"
import { useMessages } from "../../i18n/language.tsx"
import { fleetMessages } from "./fleet-messages.ts"

const icons = { ok: IconCheck, soon: IconClock, overdue: IconAlertTriangle } as const

/** Whether maintenance is due, by an icon and a word. */
export function DueState({ state }: { state: string | null }) {
  const t = useMessages(fleetMessages)
  if (state !== "ok" && state !== "soon" && state !== "overdue") return <span className="quiet">–</span>
  const Shape = icons[state]
  return (
    <span className="due-state" data-state={state}>
      <Shape size={15} aria-hidden style={{ verticalAlign: "-2px" }} /> {t(state)}
    </span>
  )
}
