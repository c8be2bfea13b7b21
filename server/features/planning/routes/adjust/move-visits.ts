import { roundLoad } from "../../../../../packages/route-optimizer/loads.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { handoverOf } from "../dispatch/handed-over.ts"
import { resultErrors } from "../errors.ts"
import type { RunInput } from "../plan/run-input.ts"
import { droppedEntry } from "../plan/write-routing.ts"
import type { Dropped, Routing, WireViolation } from "../result-schemas.ts"
import { placeVisits, refOf, type Trips, tripsOf, type VisitRef, withRoutes } from "./place-visits.ts"

export interface Move {
  visitId: string
  /** Of a part, when the visit was split. */
  splitNumber?: string | undefined
  /** Null takes the visit out of the plan. */
  vehicleId: string | null
  /** 0-based among the stops of the trip, which are its visits and where it hands goods over; the end unless given. */
  position?: number | undefined
  /** 1-based; the last trip unless given. One more than there are begins a new trip. */
  trip?: number | undefined
}

/** A plan after moves by hand, and what it breaks then. Refuses moves of what the plan does not have. */
export async function moveVisits(
  input: RunInput,
  routing: Routing,
  moves: readonly Move[],
  options: { roads: RoadSupply },
): Promise<{ routing: Routing; violations: WireViolation[] }> {
  const dimensions = input.settings.capacityConstraint
  const trips = new Map<string, Trips>()
  const openVehicle = (vehicleId: string): Trips => {
    const known = trips.get(vehicleId)
    if (known) return known
    const route = routing.routing.find((candidate) => candidate.vehicleId === vehicleId)
    if (!route) throw resultErrors.badInput({ message: `Vehicle ${vehicleId} is not in this plan` })
    const opened = tripsOf(route, dimensions)
    trips.set(vehicleId, opened)
    return opened
  }
  let dropped: Dropped[] = [...routing.dropped]
  const isIt = (move: Move) => (ref: VisitRef) =>
    ref.visitId === move.visitId && (move.splitNumber === undefined || ref.splitNumber === move.splitNumber)
  for (const move of moves) {
    const at = dropped.findIndex((visit) => isIt(move)(refOf(visit, dimensions)))
    const source = vehicleOf(routing, trips, move, dimensions, isIt(move))
    let ref: VisitRef | undefined
    if (source !== undefined) ref = takeOut(openVehicle(source), isIt(move))
    else if (dropped[at]) {
      ref = refOf(dropped[at], dimensions)
      dropped = dropped.toSpliced(at, 1)
    }
    if (!ref) throw resultErrors.badInput({ message: `Visit ${move.visitId} is not in this plan` })
    if (ref.handover) checkCarrier(input, move)
    if (move.vehicleId === null) dropped = [...dropped, ...droppedAgain(input, ref)]
    else putIn(openVehicle(move.vehicleId), ref, move)
  }
  if (input.subHubs.length > 0) {
    const moved = new Set(moves.map(({ visitId }) => visitId))
    const places = [
      ...[...trips].flatMap(([vehicleId, own]) => own.flat().map((ref) => ({ vehicleId, ref }))),
      ...dropped.map((visit) => ({ vehicleId: undefined, ref: refOf(visit, dimensions) })),
    ]
    const known = new Set(trips.keys())
    const touched = sendGoodsAlong(
      input,
      routing,
      places.filter(({ ref }) => moved.has(ref.visitId)),
      openVehicle,
    )
    for (const vehicleId of trips.keys())
      if (!known.has(vehicleId) && !touched.has(vehicleId)) trips.delete(vehicleId)
  }
  const { routes, violations } = await placeVisits(input, routing, trips, options)
  return { routing: withRoutes(routing, routes, dropped), violations }
}

function vehicleOf(
  routing: Routing,
  trips: ReadonlyMap<string, Trips>,
  move: Move,
  dimensions: readonly string[],
  isIt: (ref: VisitRef) => boolean,
): string | undefined {
  for (const [vehicleId, opened] of trips) if (opened.flat().some(isIt)) return vehicleId
  return routing.routing.find(
    (route) =>
      !trips.has(route.vehicleId) &&
      route.trips.some(
        (node) =>
          node.visitId === move.visitId &&
          (!node.isHub || handoverOf(node) !== undefined) &&
          isIt(refOf(node, dimensions)),
      ),
  )?.vehicleId
}

function takeOut(trips: Trips, isIt: (ref: VisitRef) => boolean): VisitRef | undefined {
  for (const trip of trips) {
    const at = trip.findIndex(isIt)
    if (at >= 0) return trip.splice(at, 1)[0]
  }
  return undefined
}

function putIn(trips: Trips, ref: VisitRef, { trip, position }: Move): void {
  const wanted = Math.max(0, Math.min((trip ?? Math.max(1, trips.length)) - 1, trips.length))
  while (trips.length <= wanted) trips.push([])
  const list = trips[wanted]
  list?.splice(Math.max(0, Math.min(position ?? list.length, list.length)), 0, ref)
}

/**
 * Goods go where their visit is served from: out of the hand-overs of other sub-hubs, and into the first one of its own.
 * Without one there the plan breaks a rule, which is reported. Parts of a visit stay with their whole. Returns which
 * vehicles carry something else now.
 */
function sendGoodsAlong(
  { subHubs, vehicles }: RunInput,
  { routing }: Routing,
  moved: readonly { vehicleId: string | undefined; ref: VisitRef }[],
  openVehicle: (vehicleId: string) => Trips,
): ReadonlySet<string> {
  const touched = new Set<string>()
  const carriers = routing.filter(({ trips }) => trips.some((node) => handoverOf(node) !== undefined))
  const stops = carriers.flatMap(({ vehicleId }) =>
    openVehicle(vehicleId).map((trip) => ({ vehicleId, trip })),
  )
  const change = (ref: VisitRef, visitIds: string[], goods: VisitRef, sign: 1 | -1): VisitRef => {
    const amounts = Object.entries(ref.demand).map(([name, amount]) => {
      const left = amount + sign * (goods.demand[name] ?? 0)
      return [name, Math.max(0, roundLoad(left))] as const
    })
    const { subHubId = "", coordinate = "" } = ref.handover ?? {}
    return { ...ref, demand: Object.fromEntries(amounts), handover: { subHubId, coordinate, visitIds } }
  }
  for (const { vehicleId, ref: goods } of moved) {
    if (goods.handover || goods.splitNumber !== null) continue
    const start = vehicles.find(({ id }) => id === vehicleId)?.hubId
    const wanted = subHubs.some(({ id }) => id === start) ? start : undefined
    let isThere = false
    for (const { vehicleId: carrier, trip } of stops)
      for (const [at, ref] of [...trip.entries()].toReversed()) {
        if (!ref.handover?.visitIds.includes(goods.visitId)) continue
        if (ref.handover.subHubId === wanted) isThere = true
        else {
          const rest = ref.handover.visitIds.filter((id) => id !== goods.visitId)
          trip.splice(at, 1, ...(rest.length > 0 ? [change(ref, rest, goods, -1)] : []))
          touched.add(carrier)
        }
      }
    if (wanted === undefined || isThere) continue
    const isWanted = ({ handover }: VisitRef) => handover?.subHubId === wanted
    const stop = stops.find(({ trip }) => trip.some(isWanted))
    const at = stop?.trip.findIndex(isWanted) ?? -1
    const ref = stop?.trip[at]
    if (!stop || !ref?.handover) continue
    stop.trip[at] = change(ref, [...ref.handover.visitIds, goods.visitId], goods, 1)
    touched.add(stop.vehicleId)
  }
  return touched
}

/** Goods for a sub-hub stay on a vehicle that brings them there. */
function checkCarrier({ settings, subHubs, vehicles }: RunInput, { vehicleId }: Move): void {
  const vehicle = vehicles.find(({ id }) => id === vehicleId)
  const isFromSubHub = subHubs.some(({ id }) => id === vehicle?.hubId)
  if (vehicle && !isFromSubHub && (settings.crossDockingType === "all" || vehicle.allowSubHub)) return
  throw resultErrors.badInput({
    message: "Only a vehicle of the main hub that serves sub-hubs can hand goods over",
  })
}

function droppedAgain(input: RunInput, ref: VisitRef): Dropped[] {
  const index = input.visits.findIndex(({ id }) => id === ref.visitId)
  const split =
    ref.splitNumber === null ? undefined : { splitNumber: ref.splitNumber, capacity: { ...ref.demand } }
  return droppedEntry(input, index, "other", [], split)
}
