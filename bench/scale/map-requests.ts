/*
 * Roads, addresses and tiles of a city over HTTP, one request after the other over one connection from another process; next
 * to them a request that does nothing but check its token. The second line of each is the server's own share, from the
 * request's arrival to the end of its response, without the time in which its thread waited for a processor (Linux).
 *
 * Run: node bench/scale/map-requests.ts [REQUESTS, default 3000] [ROUNDS, default 3]. With DATA_DIR, the folder is kept and
 * its map is used again.
 */
import { subscribe } from "node:diagnostics_channel"
import { readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { createLog } from "#core/telemetry/log.ts"
import { anOrganization } from "#samples/builders.ts"
import { buildMapFrom } from "../../server/operate/map.ts"
import { randomOf } from "../../server/testing/simulation/random.ts"
import { startBench } from "../load/harness.ts"
import { loadFromOtherProcess } from "../load/other-process.ts"

const requests = Number(process.argv[2] ?? 3_000)
const rounds = Number(process.argv[3] ?? 3)
const warmUp = 500
const city = new URL("../../examples/maps/montevideo.osm.pbf", import.meta.url).pathname
const print = (line: string) => process.stdout.write(`${line}\n`)

interface House {
  street: string
  number: string
  lon: number
  lat: number
}

/** The same sample in every run. */
const random = randomOf("map requests").number

interface Moment {
  wall: number
  /** How long this thread has waited for a processor so far. */
  waited: number
}

function momentNow(): Moment {
  const waited = Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1])
  return { wall: performance.now(), waited: waited / 1e6 }
}

/** Milliseconds of each request in this process, since the last call. */
function watchServer(): () => number[] {
  const begun = new WeakMap<IncomingMessage, Moment>()
  let own: number[] = []
  const requestOf = (message: unknown) => (message as { request: IncomingMessage }).request
  subscribe("http.server.request.start", (message) => begun.set(requestOf(message), momentNow()))
  subscribe("http.server.response.finish", (message) => {
    const from = begun.get(requestOf(message))
    const to = momentNow()
    if (from) own.push(to.wall - from.wall - (to.waited - from.waited))
  })
  return () => {
    const taken = own
    own = []
    return taken
  }
}

function shares(milliseconds: Iterable<number>): string {
  const sorted = [...milliseconds].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  return `${at(0.5)} / ${at(0.99)}`
}

function pathsOf(houses: readonly House[]): Record<string, { target: number; pathOf(house: House): string }> {
  const other = () => houses[Math.floor(random() * houses.length)] as House
  const at = ({ lon, lat }: House) => `${lon},${lat}`
  return {
    "GET /currency, nothing but the token": { target: Number.NaN, pathOf: () => "/api/v3/currency" },
    "nearest road": { target: 2, pathOf: (house) => `/api/v3/road/nearest/v1/car/${at(house)}` },
    "route with geometry and steps": {
      target: 10,
      pathOf: (house) =>
        `/api/v3/road/route/v1/car/${at(house)};${at(other())}?overview=full&geometries=geojson&steps=true`,
    },
    reverse: { target: 10, pathOf: ({ lon, lat }) => `/api/v3/places/reverse?lat=${lat}&lon=${lon}` },
    "search for an address": {
      target: 30,
      pathOf: ({ street, number }) =>
        `/api/v3/places/search?q=${encodeURIComponent(`${street} ${number}`)}&limit=5`,
    },
    "tile of zoom 10 to 15": { target: 5, pathOf: tileAt },
  }
}

function tileAt({ lon, lat }: House): string {
  const zoom = 10 + Math.floor(random() * 6)
  const size = 2 ** zoom
  const x = Math.floor(((lon + 180) / 360) * size)
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * size)
  return `/maps/montevideo/${zoom}/${x}/${y}.mvt`
}

const folder = process.env.DATA_DIR
const bench = await startBench(folder ? { DATA_DIR: folder } : {})
try {
  const { app, sql, address } = bench
  const installed = await sql`select 1 from map_regions where name = 'montevideo'`
  if (installed.length === 0) await buildMapFrom(app.settings, createLog("error"), { file: city }, print)
  await sql`analyze`
  const token = await bench.tokenOf((await anOrganization(sql)).owner)
  const houses = await sql<House[]>`
    select entry.name as street, house.number, house.lon / 1e7::float8 as lon, house.lat / 1e7::float8 as lat
    from place_houses house join place_entries entry on entry.version_id = house.version_id and entry.id = house.street
    where not is_interest and value is not null order by hashtext(house.osm_id::text), house.osm_type limit ${requests}`
  const takeOwn = watchServer()
  print("median / 99th percentile in milliseconds, one pair for each round")
  for (const [name, { target, pathOf }] of Object.entries(pathsOf(houses))) {
    const paths = houses.map(pathOf)
    const [client, server]: [string[], string[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const outcome = await loadFromOtherProcess({
        ...{ address, paths, method: "GET", headers: { authorization: `Bearer ${token}` } },
        ...{ body: undefined, bodies: undefined, requests, connections: 1, warmUp },
      })
      client.push(shares(outcome.milliseconds))
      server.push(shares(takeOwn().slice(-requests)))
    }
    print(`${name}${Number.isNaN(target) ? "" : ` (p99 at most ${target})`}`)
    print(`  at the client  ${client.join("   ")}`)
    print(`  in the server  ${server.join("   ")}`)
  }
} finally {
  await bench.close()
}
