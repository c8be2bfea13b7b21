import type { Random } from "../random.ts"
import { must, mustMatch } from "../violation.ts"
import { type List, ListReader, type Read, type Row } from "./list-reader.ts"

/** What holds for every list whatever it lists: nothing here knows a resource. */

/** Links are signed for a time that passes between two reads. */
const keyOf = (row: Row) => String(row._id ?? JSON.stringify({ ...row, url: undefined }))
const keysOf = (rows: readonly Row[]) => rows.map(keyOf)
const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

/** Lists with more rows than this are tested against two of the laws, chosen by the seed: each reads the whole list many times. */
const longList = 500

/** Every law for one list; returns how many comparisons were made. */
export async function checkLaws(list: List, read: Read, random: Random): Promise<number> {
  const reader = new ListReader(list, read)
  const whole = await reader.whole()
  if (!whole) return 0
  const { rows, total } = whole
  const law = (text: string) => `${text} (${list.path})`
  must(new Set(keysOf(rows)).size === rows.length, law("a list has each row once"))
  if (total !== undefined)
    must(total === rows.length, law("the total is the number of rows"), [total, rows.length])
  if (rows.length === 0) return 1
  const laws = [checkOrders, checkFields, checkParameters, checkWords, checkConditions]
  let count = 1
  for (const check of rows.length > longList ? random.some(laws, 2) : laws)
    count += await check(reader, rows, random, law)
  return count
}

type Law = (text: string) => string

/** In each order the pages are the whole list, backwards is the reverse, and a cursor reads the same. */
async function checkOrders(
  reader: ListReader,
  rows: readonly Row[],
  random: Random,
  law: Law,
): Promise<number> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const orderCount = rows.length > longList ? 1 : 3
  const orders: Record<string, string>[] = [
    {},
    ...(reader.has("sortBy") ? random.some(names, orderCount).map((sortBy) => ({ sortBy })) : []),
  ]
  // Twelve pages at most.
  const least = Math.max(2, Math.ceil(rows.length / 12))
  const limit = random.integer(least, Math.max(least, Math.ceil(rows.length / 2)))
  const fallback = reader.has("sortBy")
    ? await reader.whole({ sortBy: "no-such-field", sortOrder: "asc" })
    : undefined
  for (const order of orders) {
    const [asc, desc] = [
      await reader.byPages({ ...order, ...(reader.has("sortOrder") ? { sortOrder: "asc" } : {}) }, limit),
      reader.has("sortOrder") ? await reader.byPages({ ...order, sortOrder: "desc" }, limit) : undefined,
    ]
    if (!asc) continue
    const detail = JSON.stringify([order, limit])
    mustMatch(keysOf(asc), keysOf(rows), law(`the pages are the whole list ${detail}`))
    if (desc)
      must(
        keysOf(desc).toReversed().join() === keysOf(asc).join(),
        law("descending is the reverse of ascending"),
        detail,
      )
    const isFallback = fallback && keysOf(fallback.rows).join() === keysOf(asc).join()
    if (order.sortBy && !isFallback)
      must(isOrdered(asc, order.sortBy), law("a list has the order asked for"), [
        detail,
        asc.map((row) => row[order.sortBy as string]),
      ])
    if (!reader.has("cursor")) continue
    for (const [sortOrder, expected] of [["asc", asc] as const, ["desc", desc ?? []] as const]) {
      const found = await reader.byCursor({ ...order, sortOrder }, limit)
      if (found)
        must(keysOf(found).join() === keysOf(expected).join(), law("a list by cursor is the list by pages"), [
          detail,
          sortOrder,
          found.length,
          expected.length,
        ])
    }
  }
  return orders.length
}

/** Numbers and times follow each other; what has no value comes last. Texts are PostgreSQL's to compare. */
function isOrdered(rows: readonly Row[], name: string): boolean {
  return rows.every((row, place) => {
    const before = rows[place - 1]
    const [one, other] = [before?.[name] ?? null, row[name] ?? null]
    if (!before || other === null) return true
    if (one === null) return false
    if (typeof one === "number" && typeof other === "number") return one <= other
    const isTime = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value)
    return !isTime(one) || !isTime(other) || String(one) <= String(other)
  })
}

/** Shown whatever fields are chosen, by contract. */
const always = ["_id", "assignedVehicle", "trackedTime"]

/** Choosing fields leaves out the others and changes none. */
async function checkFields(
  reader: ListReader,
  rows: readonly Row[],
  random: Random,
  law: Law,
): Promise<number> {
  if (!reader.has("fields")) return 0
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== "_id")
  const fields = random.some(names, 2)
  const chosen = await reader.whole({ fields: fields.join() })
  if (!chosen) return 0
  const lineOf = (row: Row) => JSON.stringify([row._id, ...fields.map((name) => row[name])])
  mustMatch(chosen.rows.map(lineOf), rows.map(lineOf), law("choosing fields changes no value"))
  const others = chosen.rows
    .flatMap((row) => Object.keys(row))
    .filter((name) => ![...fields, ...always].includes(name))
  must(others.length === 0, law("choosing fields leaves out the others"), [fields, others.slice(0, 3)])
  return 1
}

/**
 * One entry of the log may be about many objects, and an action may be asked for by its beginning; records are asked for
 * that changed since a time.
 */
const wider = new Set([
  "/audit-log action",
  "/audit-log targetType",
  "/audit-log targetId",
  "/data updatedTime",
])

const general = ["page", "limit", "sortBy", "sortOrder", "fields", "lazyLoad", "cursor", "q", "filter"]

/** A parameter that is named like a field selects the rows with one of its values; all its values and none add up. */
async function checkParameters(
  reader: ListReader,
  rows: readonly Row[],
  random: Random,
  law: Law,
): Promise<number> {
  let count = 0
  /** Those with a part of a text are searches. */
  const isSearch = (description: string) => /^part /i.test(description)
  for (const [name, { description = "" }] of Object.entries(reader.list.parameters)) {
    if (general.includes(name) || isSearch(description)) continue
    const valuesOf = (row: Row) => [row[name]].flat().filter(isScalar).map(String)
    const known = [...new Set(rows.flatMap(valuesOf))].filter((value) => value !== "" && !value.includes(","))
    if (known.length === 0) continue
    const isList = description.startsWith("Comma-separated")
    for (const value of random.some(known, 2)) {
      const wanted = isList ? [...new Set([value, random.pick(known)])] : [value]
      const found = await reader.whole({ [name]: wanted.join() })
      if (!found) continue
      count += 1
      const expected = rows.filter((row) => valuesOf(row).some((one) => wanted.includes(one)))
      const shown = new Set(keysOf(expected))
      const isWider = wider.has(`${reader.list.path} ${name}`)
      mustMatch(
        keysOf(isWider ? found.rows.filter((row) => shown.has(keyOf(row))) : found.rows),
        [...shown],
        law(`${name} selects what plain code selects ${wanted}`),
      )
    }
  }
  return count
}

/** A search finds only what has the word, in whatever letters; a longer word finds no more than its beginning. */
async function checkWords(
  reader: ListReader,
  rows: readonly Row[],
  random: Random,
  law: Law,
): Promise<number> {
  const name = ["q", "search"].find((parameter) => reader.has(parameter))
  if (!name) return 0
  const texts = rows
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === "string" && value.length > 2)
  const word = String(random.pick(texts.length > 0 ? texts : ["word"])).slice(0, random.integer(3, 8))
  const all = new Set(keysOf(rows))
  const find = async (text: string) => (await reader.whole({ [name]: text }))?.rows
  for (const text of [word, "%", "_", "\\", "'"]) {
    const found = await find(text)
    if (!found) continue
    const has = (row: Row) =>
      JSON.stringify(row).toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase())
    const wrong = found.filter((row) => !all.has(keyOf(row)) || !has(row))
    must(wrong.length === 0, law("a search finds what has the word"), [text, wrong[0]])
  }
  const [plain, loud, longer] = [await find(word), await find(word.toUpperCase()), await find(`${word}x`)]
  if (plain && loud) mustMatch(keysOf(loud), keysOf(plain), law("a search takes upper and lower case alike"))
  const shorter = new Set(keysOf(plain ?? []))
  must(
    keysOf(longer ?? []).every((key) => shorter.has(key)),
    law("a longer word finds no more than its beginning"),
    word,
  )
  return 7
}

type Condition = Record<string, unknown>

/** For conditions over any field: p and not p are the whole, and so are p, not p and what has no value. */
async function checkConditions(
  reader: ListReader,
  rows: readonly Row[],
  random: Random,
  law: Law,
): Promise<number> {
  if (!reader.has("filter")) return 0
  const select = async (filter: Condition) => (await reader.whole({ filter: JSON.stringify(filter) }))?.rows
  const pairCount = rows.length > longList ? 1 : 4
  for (let pairs = 0; pairs < pairCount; pairs += 1) {
    const [one, other] = [aCondition(rows, random), aCondition(rows, random)]
    const [p, q, notP, both, either, neither] = [
      await select(one),
      await select(other),
      await select({ not: one }),
      await select({ and: [one, other] }),
      await select({ or: [one, other] }),
      await select({ and: [{ not: one }, { not: other }] }),
    ]
    if (!p || !q || !notP || !both || !either || !neither) continue
    const detail = JSON.stringify([one, other])
    mustMatch(
      keysOf([...p, ...notP]),
      keysOf(rows),
      law(`a condition and its opposite are the whole list ${detail}`),
    )
    mustMatch(keysOf([...both, ...either]), keysOf([...p, ...q]), law(`and, or fit their parts ${detail}`))
    mustMatch(
      keysOf([...either, ...neither]),
      keysOf(rows),
      law(`either and neither are the whole list ${detail}`),
    )
    if (one.operator !== "equals") continue
    mustMatch(
      keysOf(p),
      keysOf(rows.filter((row) => [row[String(one.field)]].flat().includes(one.value))),
      law(`equals selects what plain code selects ${detail}`),
    )
  }
  return pairCount * 4
}

function aCondition(rows: readonly Row[], random: Random): Condition {
  const row = random.pick(rows)
  const plain = Object.entries(row).filter(
    ([name, value]) => isScalar(value) && !/time|_id|^is|organizationId/i.test(name),
  )
  if (plain.length === 0 || random.chance(0.2))
    return { field: random.pick(Object.keys(row)), operator: "empty" }
  const [field, value] = random.pick(plain)
  if (typeof value === "number")
    return { field, operator: random.pick(["equals", "gt", "gte", "lt", "lte"]), value }
  if (typeof value === "boolean" || value === "") return { field, operator: "empty" }
  const text = String(value)
  return random.chance(0.5)
    ? { field, operator: "equals", value }
    : { field, operator: "contains", value: text.slice(0, random.integer(1, text.length)) }
}
