import { ownEntry } from "#core/paging.ts"
import type { OtherRow, ReadCollection } from "../reader.ts"
import { entriesIn, type JsonObject } from "./json.ts"

const pageRows = 100
const idKeys = ["refId", "_id"]
const titles: Readonly<Record<string, string>> = {
  startTime: "Start Time",
  endTime: "End Time",
  assignee: "Assignee",
}

/** A server with the same API: its lists with all fields. Its token is a bearer token. */
export const apiV3 = {
  tasks: pages("/tasks"),
  hubs: pages("/hubs"),
  vehicles: pages("/vehicles"),
  users: pages("/users"),
} satisfies Record<string, ReadCollection>

function pages(path: string): ReadCollection {
  return async function* (ask, { token }) {
    const headers = { authorization: `Bearer ${token}` }
    let first = ""
    for (let page = 1; ; page++) {
      const items = entriesIn(await ask(`${path}?limit=${pageRows}&page=${page}`, { headers }))
      // A server that ignores `page` returns the same page again.
      const start = JSON.stringify(items[0] ?? null)
      if (page > 1 && start === first) return
      first = start
      yield items.map(rowOf)
      if (items.length < pageRows) return
    }
  }
}

function rowOf(item: JsonObject): OtherRow {
  const id = idKeys.map((key) => item[key]).find((value) => typeof value === "string" && value !== "")
  const row: Record<string, string> = { ID: String(id ?? "") }
  for (const [key, value] of Object.entries(item)) {
    if (idKeys.includes(key) || value === null || value === undefined) continue
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    const isTexts = Array.isArray(value) && value.every((entry) => typeof entry === "string")
    const text = isPlain ? String(value) : isTexts ? value.join(",") : JSON.stringify(value)
    row[ownEntry(titles, key) ?? key] = text.slice(0, 32_000)
  }
  return row
}
