/*
 * Addresses of a city: CPU time and memory of the build, search with typing errors, reverse geocoding.
 *
 * Times are those of the functions behind the routes, one call at a time, with PostgreSQL on the same machine: elapsed, and
 * processor time of this process and of PostgreSQL, which a busy machine changes little.
 * Run: node bench/places.ts [FILE.osm.pbf] [searches]. With DATABASE_URL it searches in the maps installed there.
 */
import { readFile } from "node:fs/promises"
import { connect, inTransaction, type Pool } from "#core/database/database.ts"
import { buildAddressIndex } from "#packages/addresses/index.ts"
import { openExtract } from "#packages/osm-extract/index.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { findAddressAt, findPlaces, locateAddresses } from "../server/features/location/places/find-places.ts"
import { loadAddresses, publishAddresses, readCountries } from "../server/features/location/places/index.ts"
import type { WirePlace } from "../server/features/location/places/wire.ts"

const file = process.argv[2] ?? new URL("../examples/maps/montevideo.osm.pbf", import.meta.url).pathname
const searchCount = Number(process.argv[3] ?? 1_000)
const isVerbose = process.env.VERBOSE !== undefined
const wire = { languages: [], withAddress: true, withNames: false, keyOfCategory: "category" } as const

const print = (name: string, value: string) => console.log(`${name.padEnd(52)} ${value}`)
const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6

interface SampledHouse {
  name: string
  number: string
  lon: number
  lat: number
}

/** The same sample in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const random = randomNumbers(20_261_122)
const pick = (count: number) => Math.floor(random() * count)
const letters = "abcdefghijklmnopqrstuvwxyz"

/** One typing error in a letter of a name: another letter, one more, one less, or two exchanged. */
function withError(name: string): string {
  const places = [...name].flatMap((letter, index) => (/\p{L}/u.test(letter) ? [index] : []))
  const at = places[pick(places.length)] ?? 0
  const letter = letters[pick(letters.length)] ?? "x"
  const kind = pick(4)
  if (kind === 0) return name.slice(0, at) + letter + name.slice(at + 1)
  if (kind === 1) return name.slice(0, at) + letter + name.slice(at)
  if (kind === 2) return name.slice(0, at) + name.slice(at + 1)
  return name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2)
}

/** Milliseconds of processor time that PostgreSQL's process of a connection has used (Linux). */
async function backendMilliseconds(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ")
  return Number(nanoseconds) / 1e6
}

/** Measures calls one by one. */
function stopwatch(pid: number) {
  const elapsed: number[] = []
  const cpu: number[] = []
  return {
    async time<T>(call: () => Promise<T>): Promise<T> {
      const [start, own, backend] = [performance.now(), cpuSeconds(), await backendMilliseconds(pid)]
      const result = await call()
      elapsed.push(performance.now() - start)
      cpu.push((cpuSeconds() - own) * 1_000 + (await backendMilliseconds(pid)) - backend)
      return result
    },
    print(name: string) {
      const at = (times: readonly number[], share: number) =>
        (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1)
      print(
        name,
        `median ${at(elapsed, 0.5)} ms, p99 ${at(elapsed, 0.99)} ms; CPU ${at(cpu, 0.5)}, ${at(cpu, 0.99)} ms`,
      )
    },
  }
}

async function build(sql: Pool): Promise<void> {
  const extract = await openExtract(file)
  const before = cpuSeconds()
  const index = await buildAddressIndex(extract, await readCountries())
  await loadAddresses(sql, { region: "bench", version: "bench" }, index, () => undefined)
  await inTransaction(sql, (tx) => publishAddresses(tx, { region: "bench", version: "bench" }))
  await extract.close()
  const { streets, houses, places } = index.report
  print(
    "build",
    `${streets} streets, ${houses} houses, ${places} places; ${(cpuSeconds() - before).toFixed(1)} s CPU without PostgreSQL`,
  )
  const [size] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class where relname ~ '^place_[a-z]+_[0-9]+$' and relkind = 'r'`
  print("tables with indexes", `${((size?.bytes ?? 0) / 2 ** 20).toFixed(0)} MB`)
}

const metersTo = (place: WirePlace, { lon, lat }: SampledHouse) =>
  Math.hypot(
    (Number(place.lon) - lon / 1e7) * Math.cos((lat / 1e7) * (Math.PI / 180)),
    Number(place.lat) - lat / 1e7,
  ) * 111_195

/** The same street and number within 100 m. */
const isRight = (place: WirePlace, house: SampledHouse) =>
  place.address?.road === house.name &&
  place.address?.house_number === house.number &&
  metersTo(place, house) < 100

async function searches(
  sql: Pool,
  name: string,
  houses: readonly SampledHouse[],
  textOf: (house: SampledHouse) => string,
) {
  const watch = stopwatch(backend)
  let [first, five] = [0, 0]
  for (const house of houses) {
    const text = textOf(house)
    const places = await watch.time(() => findPlaces(sql, text, { limit: 10 }, wire))
    const place = places.findIndex((found) => isRight(found, house))
    if (place === 0) first += 1
    if (place >= 0 && place < 5) five += 1
    if (isVerbose && place !== 0)
      console.log(
        `  ${place} ${text} | ${house.name} ${house.number} | ${places
          .slice(0, 2)
          .map((found) => found.display_name)
          .join(" | ")}`,
      )
  }
  const share = (count: number) => `${((100 * count) / houses.length).toFixed(1)} %`
  print(name, `first ${share(first)}, top five ${share(five)}`)
  watch.print(`${name}: time`)
}

async function openDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const own = process.env.DATABASE_URL
  if (own) return { url: own, drop: async () => undefined }
  const database = await createTestDatabase()
  await build(database.sql)
  return database
}

const { url, drop } = await openDatabase()
const sql = connect(url, { max: 1 })
const [{ pid: backend } = { pid: 0 }] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
try {
  const all = await sql<SampledHouse[]>`
    select entry.name, house.number, house.lon, house.lat from place_houses house
    join place_entries entry on entry.version_id = house.version_id and entry.id = house.street
    where not is_interest and value is not null order by house.osm_type, house.osm_id`
  const houses = Array.from({ length: searchCount }, () => all[pick(all.length)]).filter(
    (house) => house !== undefined,
  )
  for (const house of houses.slice(0, 50))
    await findPlaces(sql, `${house.name} ${house.number}`, { limit: 10 }, wire)
  await searches(sql, "as written", houses, ({ name, number }) => `${name} ${number}`)
  await searches(
    sql,
    "number first, with city",
    houses,
    ({ name, number }) => `${number} ${name}, Montevideo`,
  )
  await searches(sql, "one typing error", houses, ({ name, number }) => `${withError(name)} ${number}`)
  const typed = houses.slice(0, 40).flatMap(({ name, number }) => {
    const text = `${name} ${number}`
    return Array.from({ length: text.length - 2 }, (_, index) => text.slice(0, index + 3))
  })
  const typing = stopwatch(backend)
  for (const text of typed)
    await typing.time(() => findPlaces(sql, text, { limit: 5, near: [-56.19, -34.905] }, wire))
  typing.print(`as you type, ${typed.length} beginnings`)
  const reverse = stopwatch(backend)
  let same = 0
  for (const house of houses) {
    const at = [house.lon / 1e7, house.lat / 1e7] as const
    const place = await reverse.time(() => findAddressAt(sql, at, 18, wire))
    if (place && metersTo(place, house) < 1) same += 1
  }
  reverse.print("reverse")
  print("reverse finds the house itself", `${((100 * same) / houses.length).toFixed(1)} %`)
  const before = performance.now()
  await locateAddresses(
    sql,
    houses.map(({ name, number }) => `${name} ${number}, Montevideo`),
    {},
  )
  print(`batch of ${houses.length}`, `${((performance.now() - before) / 1000).toFixed(1)} s`)
} finally {
  await sql.end()
  await drop()
}
process.exit(0)
