import { Loader } from "@mantine/core"
import { IconFileDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { createFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { routeMessages } from "./messages.ts"
import { actualQuery } from "./routes.queries.ts"

/** Minutes that count as on time, as the server's sums have it. */
const toleratedMinutes = 15

/** The plan next to what positions and tasks report of the day. */
export function ActualTable({ resultId }: { resultId: string }) {
  const t = useMessages(routeMessages)
  const { locale } = useLanguage()
  const { data: actual, error, isPending } = useQuery(actualQuery(resultId))
  // In the hub's time, as the plan is.
  const timeZone = actual?.timeZone ?? "UTC"
  const formats = useMemo(() => createFormats(locale, timeZone), [locale, timeZone])
  if (isPending) return <Loader m="lg" size="sm" role="status" aria-label={t("actual")} />
  if (!actual) return <FormError error={error} />
  const { summary } = actual
  const deviation = (minutes: number | null) => {
    if (minutes === null) return "–"
    if (Math.abs(minutes) <= 1) return t("onTime")
    return minutes < 0 ? t("early", { minutes: -minutes }) : t("late", { minutes })
  }
  const planned = actual.vehicles.flatMap(({ stops }) => stops.flatMap((stop) => stop.plannedArrival ?? []))
  const firstDay = formats.date(planned.toSorted()[0])
  // A plan over several days names the later ones.
  const timeOf = (at: string | null | undefined) =>
    formats.date(at) === firstDay ? formats.time(at) : formats.dateTime(at)
  const file = (format: string) => `/api/v3/result/${resultId}/actual/file?download=${format}`
  return (
    <>
      <div className="toolbar" style={{ paddingTop: 12 }}>
        <strong>{t("served", { served: summary.servedStops, planned: summary.plannedStops })}</strong>
        <span className="quiet">
          {t("drivenAgainst", {
            driven: formats.distance(summary.drivenDistance),
            planned: formats.distance(summary.plannedDistance),
          })}
          {summary.promisedStops > 0
            ? ` · ${t("promisesKept", { kept: summary.keptPromises, made: summary.promisedStops })}`
            : ""}
          {summary.changedStops > 0
            ? ` · ${t("changedStops", { count: summary.changedStops, most: summary.maxChangedStops })}`
            : ""}
        </span>
        <span style={{ flex: 1 }} />
        {["xlsx", "csv"].map((format) => (
          <ActionButton
            icon={IconFileDownload}
            label={format.toUpperCase()}
            key={format}
            component="a"
            href={file(format)}
            download
            size="xs"
            variant="default"
          />
        ))}
      </div>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("visit")}</th>
            <th>{t("planned")}</th>
            <th>{t("reached")}</th>
            <th className="from-sm">{t("deviation")}</th>
            <th>{t("state")}</th>
          </tr>
        </thead>
        {actual.vehicles.map((vehicle) => (
          <tbody key={vehicle.vehicleId}>
            <tr>
              <th colSpan={5} scope="rowgroup" style={{ textAlign: "start" }}>
                {vehicle.vehicleName}{" "}
                <span className="quiet" style={{ fontWeight: 400 }}>
                  {vehicle.hasPositions ? formats.distance(vehicle.drivenDistance ?? 0) : t("noPositions")}
                </span>
              </th>
            </tr>
            {vehicle.stops.map((stop) => (
              <tr key={stop.order}>
                <td>{stop.isHub ? <span className="quiet">{t("hubStop")}</span> : stop.visitName}</td>
                <td>{timeOf(stop.plannedArrival)}</td>
                <td>
                  {stop.estimatedArrival ? (
                    <span className="quiet">{t("expectedAt", { time: timeOf(stop.estimatedArrival) })}</span>
                  ) : (
                    timeOf(stop.actualArrival ?? stop.doneTime)
                  )}
                </td>
                <td
                  className="from-sm"
                  style={
                    (stop.arrivalDeviation ?? 0) > toleratedMinutes
                      ? { color: "var(--mantine-color-error)" }
                      : {}
                  }
                >
                  {deviation(stop.arrivalDeviation)}
                </td>
                <td>
                  {stop.isHub && stop.state === "missed"
                    ? "–"
                    : t(`state_${stop.state as "visited" | "done" | "missed" | "open"}`)}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  )
}
