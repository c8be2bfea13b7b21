import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { limits } from "./discovery.ts"
import { type Filter, meets, parseFilter, splitPath, valuesAt } from "./filter.ts"
import { scimRefusal } from "./refusals.ts"
import { type Resource, readGroups, readUsers, type World } from "./resources.ts"

export type Query = Readonly<Record<string, unknown>>
export type Kind = "Users" | "Groups"

interface Directory {
  sql: Sql
  caller: Caller
  world: World
}

/** A page of resources, by index or by cursor (RFC 9865). */
export async function listResources(directory: Directory, kind: Kind, query: Query) {
  const filter =
    typeof query.filter === "string" && query.filter !== "" ? parseFilter(query.filter) : undefined
  const found = await select(directory, kind, filter, query)
  const matching = filter ? found.filter((resource) => meets(resource, filter)) : found
  const sorted = sort(matching, query)
  const count = Math.min(numberOf(query.count, "count") ?? limits.defaultPage, limits.page)
  const isByCursor = query.cursor !== undefined
  const start = isByCursor
    ? afterCursor(sorted, String(query.cursor))
    : Math.max(1, numberOf(query.startIndex, "startIndex") ?? 1) - 1
  const page = sorted.slice(start, start + Math.max(0, count))
  const last = page.at(-1)
  const isMore = start + page.length < sorted.length
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: sorted.length,
    itemsPerPage: page.length,
    ...(isByCursor ? isMore && last && { nextCursor: cursorOf(last) } : { startIndex: start + 1 }),
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

function sort(resources: readonly Resource[], { sortBy, sortOrder }: Query): Resource[] {
  const isDescending = sortOrder === "descending"
  const key = (resource: Resource) =>
    typeof sortBy === "string" && sortBy !== ""
      ? String(plainOf(valuesAt(resource, sortBy)[0]) ?? "").toLowerCase()
      : ""
  const keyed = resources.map((resource) => ({ resource, key: key(resource) }))
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return keyed
    .toSorted(
      (a, b) =>
        (isDescending ? -1 : 1) * compare(a.key, b.key) ||
        compare(a.resource.meta.created, b.resource.meta.created) ||
        compare(a.resource.id, b.resource.id),
    )
    .map(({ resource }) => resource)
}

const plainOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "value" in value ? value.value : value

const cursorOf = ({ meta, id }: Resource) => Buffer.from(`${meta.created} ${id}`).toString("base64url")

/** A cursor names the last resource of the page before; if that is gone, where it was. */
function afterCursor(sorted: readonly Resource[], cursor: string): number {
  if (cursor === "") return 0
  const [created = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(" ")
  if (!/^\d{4}-\d\d-\d\dT/.test(created) || !/^[0-9a-f]{24}$/.test(id))
    throw scimRefusal(400, "The cursor is invalid", "invalidCursor")
  const place = sorted.findIndex((resource) => resource.id === id)
  if (place >= 0) return place + 1
  const next = sorted.findIndex(({ meta, id: other }) => `${meta.created} ${other}` > `${created} ${id}`)
  return next < 0 ? sorted.length : next
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
