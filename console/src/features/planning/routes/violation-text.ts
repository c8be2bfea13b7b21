import { useMessages } from "../../../i18n/language.tsx"
import { routeMessages } from "./messages.ts"
import type { Result, Violation } from "./routes.queries.ts"

const kinds = [
  "capacity",
  "timeWindow",
  "shift",
  "tags",
  "group",
  "order",
  "pair",
  "link",
  "handover",
  "dayOff",
] as const

/** What a plan breaks, with the names of the vehicle and the visit. */
export function useViolationText(result: Result): (violation: Violation) => string {
  const t = useMessages(routeMessages)
  const routes = result.result?.routing ?? []
  return ({ kind, vehicleId, visitId, message, excess }) => {
    const known = kinds.find((one) => one === kind)
    const vehicle = routes.find((route) => route.vehicleId === vehicleId)?.vehicleName ?? vehicleId ?? ""
    const node = routes.flatMap(({ trips }) => trips).find((stop) => stop.visitId === visitId)
    // Without an amount the server's message is more precise.
    const isMeasured = kind === "capacity" || kind === "timeWindow" || kind === "shift"
    return t(known && (!isMeasured || excess !== undefined) ? `violation_${known}` : "violation_other", {
      vehicle,
      amount: excess ?? 0,
      minutes: Math.max(1, Math.ceil((excess ?? 0) / 60)),
      visit: node?.visitName ?? "",
      message,
    })
  }
}
