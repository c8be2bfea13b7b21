import { lazy, Suspense, useState } from "react"
import { dayBound } from "../../../i18n/day-bounds.ts"
import { useSession } from "../../../session/session.ts"

const MomentView = lazy(() => import("../moments/MomentView.tsx"))

interface PastDayProps {
  /** ISO 8601. */
  at: string
  /** The day of the desk; a moment of another day is shown at its end. */
  date: string
  onAt(at: string): void
}

/** The desk as it was, with the slider of the time machine instead of what can be moved. */
export function PastDay({ at, date, onAt }: PastDayProps) {
  const { organization } = useSession()
  const [now] = useState(() => Date.now())
  const [from, to] = (["from", "to"] as const).map((end) =>
    Date.parse(dayBound(date, end, organization.timeZone)),
  )
  const wanted = Date.parse(at)
  const isOfDay = from !== undefined && to !== undefined && wanted >= from && wanted <= to
  const shown = Math.min(now, isOfDay ? wanted : (to ?? now))
  return (
    <Suspense fallback={<div className="tracking" aria-busy="true" />}>
      <MomentView at={shown} now={now} onAt={(next) => onAt(new Date(next).toISOString())} />
    </Suspense>
  )
}
