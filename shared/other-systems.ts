/** Systems that lists can be read from, to be imported like a file. */
export const otherSystems = {
  traccar: { name: "Traccar", address: undefined, collections: ["devices", "geofences", "drivers", "users"] },
  fleetbase: {
    name: "Fleetbase",
    address: "https://api.fleetbase.io/v1",
    collections: ["orders", "places", "contacts", "vehicles", "drivers"],
  },
  onfleet: {
    name: "Onfleet",
    address: "https://onfleet.com/api/v2",
    collections: ["tasks", "workers", "hubs"],
  },
  optimoroute: {
    name: "OptimoRoute",
    address: "https://api.optimoroute.com/v1",
    collections: ["orders"],
  },
  v3: {
    name: "Fieldway, or a system with the same API",
    address: undefined,
    collections: ["tasks", "hubs", "vehicles", "users"],
  },
} as const satisfies Readonly<
  Record<string, { name: string; address: string | undefined; collections: readonly string[] }>
>

/** Lists that are also read from a dump of Traccar's database. */
export const dumpCollections = otherSystems.traccar.collections

export type OtherSystem = keyof typeof otherSystems

export const otherSystemIds = Object.keys(otherSystems) as OtherSystem[]

/** Collections that are read for a range of dates. */
export function needsDates(system: OtherSystem, collection: string): boolean {
  return (system === "onfleet" && collection === "tasks") || system === "optimoroute"
}
