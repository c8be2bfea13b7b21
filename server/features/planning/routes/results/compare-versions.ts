import type { RouteNode, Routing } from "../result-schemas.ts"

/** What a change of a result did, for its history. */
export interface Edit {
  action: "move" | "sequence"
  createdType: "individualMove" | "bulkMove" | "switchVehicle" | "changeSequence"
  visits: { visitId: string; visitName: string }[]
  vehicleFrom: string
  vehicleTo: string
  description: string
}

interface Place {
  vehicleId: string
  vehicleName: string
  node: { visitId: string; visitName: string }
}

const dropped = "dropped"

/** Undefined when every visit is on the vehicle and in the place where it was. */
export function compareVersions(before: Routing, after: Routing, author: string): Edit | undefined {
  const [old, now] = [placesOf(before), placesOf(after)]
  const moved = [...now].flatMap(([key, place]) => {
    const was = old.get(key)
    return was && was.vehicleId !== place.vehicleId ? [{ was, place }] : []
  })
  const names = (list: readonly string[]) => [...new Set(list)].join(", ")
  if (moved.length > 0) {
    const vehicleFrom = names(moved.map(({ was }) => was.vehicleName))
    const vehicleTo = names(moved.map(({ place }) => place.vehicleName))
    const source = new Set(moved.map(({ was }) => was.vehicleId))
    const [only] = source
    const isWhole =
      source.size === 1 && only !== dropped && !(visitsOf(after, only ?? "").length > 0) && moved.length > 1
    const visits = moved.map(({ place }) => place.node)
    const what = visits.length === 1 ? (visits[0]?.visitName ?? "A visit") : `${visits.length} visits`
    return {
      action: "move",
      createdType: moved.length === 1 ? "individualMove" : isWhole ? "switchVehicle" : "bulkMove",
      visits,
      vehicleFrom,
      vehicleTo,
      description: `${what} moved from ${vehicleFrom} to ${vehicleTo} by ${author}`,
    }
  }
  const resorted = after.routing.filter(
    ({ vehicleId }) => visitsOf(before, vehicleId).join("\n") !== visitsOf(after, vehicleId).join("\n"),
  )
  if (resorted.length === 0) return undefined
  const vehicles = names(resorted.map(({ vehicleName, vehicleId }) => vehicleName ?? vehicleId))
  return {
    action: "sequence",
    createdType: "changeSequence",
    visits: resorted.flatMap(({ vehicleId, trips }) => {
      const was = visitsOf(before, vehicleId)
      return trips
        .filter((node) => !node.isHub)
        .flatMap((node, place) => (was[place] === keyOf(node) ? [] : [nameOf(node)]))
    }),
    vehicleFrom: vehicles,
    vehicleTo: vehicles,
    description: `Order of ${vehicles} changed by ${author}`,
  }
}

function placesOf({ routing, dropped: left }: Routing): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { vehicleId, vehicleName, trips } of routing)
    for (const node of trips)
      if (!node.isHub)
        places.set(keyOf(node), { vehicleId, vehicleName: vehicleName ?? vehicleId, node: nameOf(node) })
  for (const visit of left) {
    const node = { visitId: visit.visitId ?? visit.id, visitName: visit.visitName ?? visit.name ?? visit.id }
    const key = keyOf({ visitId: node.visitId, splitNumber: visit.splitNumber })
    places.set(key, { vehicleId: dropped, vehicleName: dropped, node })
  }
  return places
}

function visitsOf({ routing }: Routing, vehicleId: string): string[] {
  const route = routing.find((candidate) => candidate.vehicleId === vehicleId)
  return route?.trips.filter((node) => !node.isHub).map(keyOf) ?? []
}

/** Parts of one visit differ by their number. */
function keyOf(node: { visitId: string; splitNumber?: unknown }): string {
  return `${node.visitId} ${typeof node.splitNumber === "string" ? node.splitNumber : ""}`
}

function nameOf(node: RouteNode): { visitId: string; visitName: string } {
  return { visitId: node.visitId, visitName: node.visitName ?? node.visitId }
}
