import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { limits } from "./discovery.ts"
import { type Filter, meets, parseFilter, splitPath, valuesAt } from "./filter.ts"
import { scimRefusal } from "./refusals.ts"
import { type Resource, readGroups, readUsers, type World } from "./resources.ts"

export type Query = Readonly<Record<string, unknown>>
export type Kind = "Users" | "Groups"
const kinds: readonly Kind[] = ["Users", "Groups"]

interface Directory {
  sql: Sql
  caller: Caller
  world: World
}

/** A page of resources of one kind or all, by index or by cursor (RFC 9865). */
export async function listResources(directory: Directory, kind: Kind | undefined, query: Query) {
  const filter =
    typeof query.filter === "string" && query.filter !== "" ? parseFilter(query.filter) : undefined
  const found: Resource[] = []
  for (const each of kind ? [kind] : kinds) found.push(...(await select(directory, each, filter, query)))
  const matching = filter ? found.filter((resource) => meets(resource, filter)) : found
  const sorted = sort(matching, query)
  const count = Math.min(numberOf(query.count, "count") ?? limits.defaultPage, limits.page)
  const isByCursor = query.cursor !== undefined
  const start = isByCursor
    ? afterCursor(sorted, query)
    : Math.max(1, numberOf(query.startIndex, "startIndex") ?? 1) - 1
  const page = sorted.slice(start, start + Math.max(0, count))
  const last = page.at(-1)
  const isMore = start + page.length < sorted.length
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: sorted.length,
    itemsPerPage: page.length,
    ...(isByCursor ? isMore && last && { nextCursor: cursorOf(last, query) } : { startIndex: start + 1 }),
    Resources: page.map((resource) => project(resource, query)),
  }
}

function numberOf(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isInteger(number)) throw scimRefusal(400, `${name} must be a number`, "invalidValue")
  return Math.max(0, number)
}

/** What a filter asks for by a key is found by an index; everything else is filtered among all. */
function select({ sql, caller, world }: Directory, kind: Kind, filter: Filter | undefined, query: Query) {
  const { key, value } = keyIn(filter)
  if (kind === "Groups") {
    const withMembers = needsMembers(filter, query)
    return readGroups(sql, caller, world, { withMembers, ...(key === "id" && { id: value }) })
  }
  if (key === "username" || key === "emails" || key === "emails.value")
    return readUsers(sql, caller, world, { userName: value })
  if (key === "id") return readUsers(sql, caller, world, { id: value })
  if (key === "externalid") return readUsers(sql, caller, world, { externalId: value })
  return readUsers(sql, caller, world)
}

/** Entra ID asks for members by `id eq "…" and members eq "…"`. */
function keyIn(filter: Filter | undefined): { key: string; value: string } {
  for (const each of filter?.op === "and" ? filter.filters : [filter]) {
    if (each?.op !== "eq" || typeof each.value !== "string") continue
    const key = splitPath(each.path).join(".").toLowerCase()
    if (/^(id|username|emails|emails\.value|externalid)$/.test(key)) return { key, value: each.value }
  }
  return { key: "", value: "" }
}

function needsMembers(filter: Filter | undefined, query: Query): boolean {
  const isExcluded = namesOf(query.excludedAttributes).includes("members")
  const asked = namesOf(query.attributes)
  const isUnasked = asked.length > 0 && !asked.some((name) => name.startsWith("members"))
  return (
    JSON.stringify(filter ?? "")
      .toLowerCase()
      .includes("members") || !(isExcluded || isUnasked)
  )
}

const namesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [])
    .map((name) => splitPath(String(name).trim()).join(".").toLowerCase())
    .filter((name) => name !== "")

/** Where a resource is in the order of a list: the value it is sorted by, then its age and its id. */
type Place = readonly [key: string, created: string, id: string]

function placeOf(resource: Resource, { sortBy }: Query): Place {
  const key = typeof sortBy === "string" && sortBy !== "" ? plainOf(valuesAt(resource, sortBy)[0]) : ""
  return [String(key ?? "").toLowerCase(), resource.meta.created, resource.id]
}

function comparePlaces(a: Place, b: Place, { sortOrder }: Query): number {
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  const byKey = compare(a[0], b[0]) * (sortOrder === "descending" ? -1 : 1)
  return byKey || compare(a[1], b[1]) || compare(a[2], b[2])
}

function sort(resources: readonly Resource[], query: Query): Resource[] {
  const placed = resources.map((resource) => ({ resource, place: placeOf(resource, query) }))
  return placed.toSorted((a, b) => comparePlaces(a.place, b.place, query)).map(({ resource }) => resource)
}

const plainOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "value" in value ? value.value : value

const cursorOf = (last: Resource, query: Query) =>
  Buffer.from(JSON.stringify(placeOf(last, query))).toString("base64url")

/** A cursor is the place of the last resource of the page before, which may be gone by now. */
function afterCursor(sorted: readonly Resource[], query: Query): number {
  if (query.cursor === "") return 0
  const last = readCursor(String(query.cursor))
  const next = sorted.findIndex((resource) => comparePlaces(placeOf(resource, query), last, query) > 0)
  return next < 0 ? sorted.length : next
}

function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString())
    if (Array.isArray(place) && place.length === 3 && place.every((part) => typeof part === "string"))
      return place as unknown as Place
  } catch {
    // Said below.
  }
  throw scimRefusal(400, "The cursor is invalid", "invalidCursor")
}

const always = ["schemas", "id"]

/** Only what `attributes` names, or all but what `excludedAttributes` names; both may name parts: `name.givenName`. */
export function project(resource: Resource, query: Query): Record<string, unknown> {
  const [wanted, excluded] = [namesOf(query.attributes), namesOf(query.excludedAttributes)]
  if (wanted.length > 0) {
    const kept = Object.entries(resource).map(([key, value]) => [
      key,
      always.includes(key) ? value : partOf(value, partsOf(key, wanted), true),
    ])
    return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
  }
  if (excluded.length === 0) return resource
  const kept = Object.entries(resource).map(([key, value]) => [
    key,
    always.includes(key) ? value : partOf(value, partsOf(key, excluded), false),
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}

/** What names say of one attribute: "" for all of it, or its parts. */
function partsOf(key: string, names: readonly string[]): string[] {
  const lower = key.toLowerCase()
  return names.flatMap((name) =>
    name === lower ? [""] : name.startsWith(`${lower}.`) ? [name.slice(lower.length + 1)] : [],
  )
}

function partOf(value: unknown, parts: readonly string[], isWanted: boolean): unknown {
  if (parts.includes("")) return isWanted ? value : undefined
  if (parts.length === 0) return isWanted ? undefined : value
  if (Array.isArray(value)) return value.map((element) => partOf(element, parts, isWanted))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => parts.includes(name.toLowerCase()) === isWanted),
  )
}
