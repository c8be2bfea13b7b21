import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { spanText } from "../dispatch/desk-text.ts"
import { clockText } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import { summaryOf } from "./RouteListPage.tsx"
import { routeColor } from "./route-colors.ts"
import type { Result, RouteNode, VehicleRoute } from "./routes.queries.ts"
import { breaksOf, handedOver, isPreferred, isStop, missedDays } from "./stops.ts"

const idleReasons = ["tags", "dayOff", "limits", "late", "notNeeded"] as const

/** Every stop of every vehicle, to read and to print. */
export function RouteStops({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const nodes = (result.result?.routing ?? []).flatMap(({ trips }) => trips)
  const nameOf = (visitId: string) => nodes.find((node) => node.visitId === visitId)?.visitName ?? visitId
  const idleText = ({ idleReason }: VehicleRoute) => {
    const known = idleReasons.find((one) => one === idleReason)
    return known ? t(`idle_${known}`) : t("idle")
  }
  const sumsOf = (route: VehicleRoute) =>
    [
      t("workOf", {
        count: Number(route.totalVisits ?? route.trips.filter(isStop).length),
        time: spanText(60 * Number(route.totalSpentTime ?? 0)),
      }),
      formats.distance(Number(route.totalDistance ?? 0)),
      ...(route.totalCost === undefined ? [] : [t("cost", { amount: formats.number(route.totalCost) })]),
      ...(route.totalOvertime ? [t("overtime", { minutes: route.totalOvertime })] : []),
      ...(breaksOf(route).length > 0 ? [t("breakAt", { time: clockText(route.breakTime?.startTime) })] : []),
      ...(route.totalLateTime ? [t("late", { minutes: route.totalLateTime })] : []),
      ...(route.totalCo2 === undefined ? [] : [`${formats.number(route.totalCo2)} kg CO₂`]),
    ].join(" · ")
  return (
    <>
      <Workload result={result} />
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("order")}</th>
            <th>{t("visit")}</th>
            <th>{t("arrival")}</th>
            <th>{t("departure")}</th>
            <th className="from-sm" style={{ textAlign: "end" }}>
              {t("distance")}
            </th>
          </tr>
        </thead>
        {(result.result?.routing ?? []).map((route, index) => (
          <tbody key={route.vehicleId}>
            <tr>
              <th colSpan={5} scope="rowgroup" style={{ textAlign: "start" }}>
                <span className="timeline-name">
                  <i style={{ background: routeColor(index) }} aria-hidden />
                  {route.vehicleName}
                  <span className="quiet" style={{ fontWeight: 400 }}>
                    {route.trips.length === 0 ? idleText(route) : sumsOf(route)}
                  </span>
                </span>
              </th>
            </tr>
            {route.trips.map((node, at) => (
              <tr key={`${node.visitId} ${node.order ?? at}`}>
                <td>{isStop(node) ? route.trips.slice(0, at + 1).filter(isStop).length : ""}</td>
                <td>
                  {!node.isHub ? (
                    node.visitName
                  ) : (
                    <span className="quiet">
                      {handedOver(node) > 0 ? t("handover", { count: handedOver(node) }) : t("hubStop")}
                    </span>
                  )}
                  {typeof node.pickupVisitId === "string" ? (
                    <div className="quiet">{t("pickup", { name: nameOf(node.pickupVisitId) })}</div>
                  ) : null}
                  {isPreferred(route, node) ? null : (
                    <div className="quiet">
                      {t("otherPreferred", { name: String(node.preferredVehicle) })}
                    </div>
                  )}
                  <MissedDays node={node} result={result} />
                  {node.address ? <div className="quiet from-sm">{node.address}</div> : null}
                </td>
                <td>
                  {clockText(node.eta)}
                  {(node.lateTime ?? 0) > 0 ? (
                    <div className="route-late">{t("late", { minutes: node.lateTime ?? 0 })}</div>
                  ) : null}
                  {(node.waitingTime ?? 0) > 0 && !node.isHub ? (
                    <div className="quiet">{t("waits", { minutes: node.waitingTime ?? 0 })}</div>
                  ) : null}
                </td>
                <td>{clockText(node.etd)}</td>
                <td align="right" className="from-sm">
                  {at === 0 ? "" : formats.distance(Number(node.distance ?? 0))}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  )
}

function MissedDays({ node, result }: { node: RouteNode; result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const days = missedDays(node, result.routingDate)
  if (days.length === 0) return null
  const names = days.map((day) => formats.day(day)).join(", ")
  return <div className="quiet">{t("otherDay", { days: names })}</div>
}

/** From which share of the longest day on a shorter one counts as uneven. */
const evenShare = 2 / 3

/** How evenly the work is shared, and why not more so. */
function Workload({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const { workload, usedVehicles } = summaryOf(result)
  if (!workload || usedVehicles < 2) return null
  const { visits, minutes } = workload
  const range = (from: string, to: string) => (from === to ? from : `${from}–${to}`)
  const isUneven = minutes.least < minutes.most * evenShare || visits.least < visits.most * evenShare
  const { fairness, clustering } = result.configuration ?? {}
  const isShared = (fairness ?? "none") !== "none" || clustering === "balanced"
  return (
    <p className="quiet" style={{ padding: "8px 20px" }}>
      {t("workload", {
        visits: range(formats.number(visits.least), formats.number(visits.most)),
        times: range(spanText(60 * minutes.least), spanText(60 * minutes.most)),
      })}
      {isUneven ? ` ${t(isShared ? "workShared" : "workNotShared")}` : ""}
    </p>
  )
}
