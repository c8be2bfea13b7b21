import { Button, Loader } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { routeMessages } from "./messages.ts"
import { summaryOf } from "./RouteListPage.tsx"
import { replanMessages } from "./replan/messages.ts"
import { type Result, resultQuery, type Version, versionQuery } from "./routes.queries.ts"

export interface VersionComparisonProps {
  result: Result
  version: number
  nameOf(version: number): string
  onClose(): void
}

/** An older version of a plan compared with the current one. */
export function VersionComparison({ result, version, nameOf, onClose }: VersionComparisonProps) {
  const t = useMessages(routeMessages)
  const { data: other, error, isPending } = useQuery(versionQuery(result._id, version))
  if (isPending) return <Loader m="md" size="sm" role="status" aria-label={t("compare")} />
  if (!other) return <FormError error={error} />
  return (
    <PlanComparison
      before={other}
      after={result}
      names={{ before: nameOf(version), after: t("versionNow") }}
      onClose={onClose}
    />
  )
}

/** A what-if compared with the plan that it was made from. */
export function BaseComparison({ result, baseId }: { result: Result; baseId: string }) {
  const t = useMessages(routeMessages)
  const tReplan = useMessages(replanMessages)
  const { data: base, error, isPending } = useQuery(resultQuery(baseId))
  if (isPending) return <Loader m="md" size="sm" role="status" aria-label={t("compare")} />
  // It may be deleted by now.
  if (!base?.result) return <FormError error={error} />
  return (
    <PlanComparison
      before={{ ...base, result: base.result }}
      after={result}
      names={{ before: base.name ?? "", after: result.name ?? "" }}
      columns={{ before: tReplan("before"), after: tReplan("after") }}
    />
  )
}

interface PlanComparisonProps {
  before: Pick<Version, "result"> & { summary?: unknown }
  after: Result
  names: { before: string; after: string }
  /** Shorter than the names. */
  columns?: { before: string; after: string }
  onClose?(): void
}

/** Totals of two plans of the same visits next to each other, and the visits that moved. */
function PlanComparison({ before: one, after, names, columns = names, onClose }: PlanComparisonProps) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const [before, now] = [summaryOf(one), summaryOf(after)]
  const number = (value: number) => formats.number(value)
  const hours = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`
  const figures = [
    { label: t("visits"), values: [before.routedVisits, now.routedVisits], write: number },
    { label: t("droppedShort"), values: [before.droppedVisits, now.droppedVisits], write: number },
    { label: t("vehicles"), values: [before.usedVehicles, now.usedVehicles], write: number },
    { label: t("distance"), values: [before.totalDistance, now.totalDistance], write: formats.distance },
    { label: t("workTime"), values: [before.totalSpentTime, now.totalSpentTime], write: hours },
    ...(before.totalCost === undefined || now.totalCost === undefined
      ? []
      : [{ label: t("costs"), values: [before.totalCost, now.totalCost], write: number }]),
  ]
  const moved = movedVisits(one.result, after.result ?? { routing: [], dropped: [] })
  const placeText = (place: Place | undefined) =>
    place === undefined ? t("leftOut") : t("places", { vehicle: place.vehicle, place: place.number })
  return (
    <section className="comparison" aria-label={t("compare")}>
      <header>
        <h2>{t("compareTitle", { one: names.before, other: names.after })}</h2>
        {onClose ? (
          <Button size="compact-sm" variant="default" onClick={onClose}>
            {t("compareClose")}
          </Button>
        ) : null}
      </header>
      <DataTable
        rows={figures}
        keyOf={({ label }) => label}
        columns={[
          { title: t("figure"), cell: ({ label }) => label },
          {
            title: columns.before,
            kind: "number",
            cell: ({ values: [was = 0], write }) => write(was),
          },
          {
            title: columns.after,
            kind: "number",
            cell: ({ values: [, is = 0], write }) => write(is),
          },
          {
            title: t("difference"),
            kind: "number",
            cell: ({ values: [was = 0, is = 0], write }) =>
              is === was ? "0" : `${is > was ? "+" : "−"}${write(Math.abs(is - was))}`,
          },
        ]}
      />
      {moved.length === 0 ? (
        <p className="quiet comparison-text">{t("sameOrder")}</p>
      ) : (
        <>
          <p className="comparison-text">{t("movedVisits", { count: moved.length })}</p>
          <DataTable
            rows={moved}
            keyOf={({ key }) => key}
            columns={[
              { title: t("visit"), cell: ({ name }) => name },
              { title: columns.before, kind: "quiet", cell: ({ from }) => placeText(from) },
              { title: columns.after, cell: ({ to }) => placeText(to) },
            ]}
          />
        </>
      )}
    </section>
  )
}

interface Place {
  vehicle: string
  number: number
}

interface MovedVisit {
  key: string
  name: string
  from: Place | undefined
  to: Place | undefined
}

/**
 * Visits that are on another vehicle or left out in one of both, and those that changed places among the visits that
 * their vehicle has in both: one visit that left does not move the others.
 */
function movedVisits(before: Version["result"], after: NonNullable<Result["result"]>): MovedVisit[] {
  const [was, is] = [placesOf(before), placesOf(after)]
  const moved: MovedVisit[] = []
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was.get(key), is.get(key)]
    const isElsewhere = one?.vehicleId !== other?.vehicleId
    const isReordered =
      !isElsewhere &&
      rankAmong(was, is, key) !== undefined &&
      rankAmong(was, is, key) !== rankAmong(is, was, key)
    if (!isElsewhere && !isReordered) continue
    moved.push({ key, name: (other ?? one)?.name ?? key, from: one?.place, to: other?.place })
  }
  return moved
}

interface Seat {
  vehicleId: string | undefined
  name: string
  place: Place | undefined
}

function placesOf({ routing, dropped }: Pick<Version["result"], "routing" | "dropped">): Map<string, Seat> {
  const seats = new Map<string, Seat>()
  const keyOf = (id: string, part: unknown) => `${id} ${typeof part === "string" ? part : ""}`
  for (const { vehicleId, vehicleName, trips } of routing)
    trips
      .filter((node) => !node.isHub)
      .forEach((node, index) => {
        const place = { vehicle: vehicleName ?? vehicleId, number: index + 1 }
        seats.set(keyOf(node.visitId, node.splitNumber), {
          vehicleId,
          name: node.visitName ?? node.visitId,
          place,
        })
      })
  for (const visit of dropped)
    seats.set(keyOf(visit.visitId ?? visit.id, visit.splitNumber), {
      vehicleId: undefined,
      name: visit.name ?? visit.id,
      place: undefined,
    })
  return seats
}

/** The place among those visits that stayed on the vehicle. */
function rankAmong(seats: ReadonlyMap<string, Seat>, others: ReadonlyMap<string, Seat>, key: string) {
  const own = seats.get(key)
  if (own?.vehicleId === undefined) return undefined
  let rank = 0
  for (const [other, seat] of seats)
    if (
      seat.vehicleId === own.vehicleId &&
      others.get(other)?.vehicleId === own.vehicleId &&
      (seat.place?.number ?? 0) < (own.place?.number ?? 0)
    )
      rank++
  return rank
}
