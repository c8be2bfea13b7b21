import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { clockText } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import { routeColor } from "./route-colors.ts"
import type { Result } from "./routes.queries.ts"
import { handedOver, isStop } from "./stops.ts"

/** Every stop of every vehicle, to read and to print. */
export function RouteStops({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  return (
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
                  {route.trips.length === 0 ? t("idle") : formats.distance(Number(route.totalDistance ?? 0))}
                </span>
              </span>
            </th>
          </tr>
          {route.trips.map((node, at) => (
            <tr key={`${node.visitId} ${node.order ?? at}`}>
              <td>{isStop(node) ? at : ""}</td>
              <td>
                {!node.isHub ? (
                  node.visitName
                ) : (
                  <span className="quiet">
                    {handedOver(node) > 0 ? t("handover", { count: handedOver(node) }) : t("hubStop")}
                  </span>
                )}
                {node.address ? <div className="quiet from-sm">{node.address}</div> : null}
              </td>
              <td>
                {clockText(node.eta)}
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
  )
}
