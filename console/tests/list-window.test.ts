import assert from "node:assert/strict"
import { test } from "node:test"
import { checkConsoleLanguages } from "../../tools/console-languages.ts"
import { withHeadingText } from "../src/features/work/tasks/tasks.queries.ts"
import { dayBound, instantOf, localOf } from "../src/i18n/day-bounds.ts"
import { createFormats } from "../src/i18n/formats.ts"
import { fillText } from "../src/i18n/messages.ts"
import { findRow, indexOfRow, keepSelected, type ListWindow } from "../src/ui/tables/list-window.ts"
import { groupRows, sum } from "../src/ui/tables/local-groups.tsx"

/** A list of which only some rows are loaded. */
function listOf(total: number, loaded: Readonly<Record<number, string>>): ListWindow<{ _id: string }> {
  return {
    total,
    rowAt: (index) => (loaded[index] ? { _id: loaded[index] } : undefined),
    setRange: () => undefined,
    isLoading: false,
    error: null,
  }
}

test("a row is found where it is loaded, and nowhere else", () => {
  const list = listOf(300, { 0: "a", 201: "b" })
  assert.equal(indexOfRow(list, "b"), 201)
  assert.equal(indexOfRow(list, "c"), undefined)
  assert.deepEqual(findRow(list, "a"), { _id: "a" })
  assert.equal(findRow(list, undefined), undefined)
})

test("selected rows stay selected when they scroll out of the loaded pages", () => {
  const before = keepSelected(new Set(["a"]), new Map(), listOf(300, { 0: "a" }))
  const after = keepSelected(new Set(["a", "b", "gone"]), before, listOf(300, { 250: "b" }))
  assert.deepEqual([...after.keys()], ["a", "b"])
})

test("rows are grouped in the order in which people count, and decimals add up", () => {
  const rows = [
    { van: "Van 10", load: 0.1 },
    { van: "", load: undefined },
    { van: "Van 2", load: 0.2 },
    { van: "Van 10", load: 0.2 },
  ]
  const groups = groupRows(rows, ({ van }) => van)
  assert.deepEqual(
    groups.map(([name, members]) => [name, members.length, sum(members, ({ load }) => load)]),
    [
      ["Van 2", 1, 0.2],
      ["Van 10", 2, 0.3],
      ["", 1, 0],
    ],
  )
})

test("counts choose the plural form of each language, and numbers are written its way", () => {
  assert.equal(fillText("{count} task|{count} tasks", { count: 1 }, "en"), "1 task")
  assert.equal(fillText("{count} task|{count} tasks", { count: 1200 }, "en"), "1,200 tasks")
  assert.equal(fillText("{count} tugas", { count: 1200 }, "id"), "1.200 tugas")
  assert.equal(fillText("Missing: {what}", { what: ["A", "B"] }, "en"), "Missing: A, B")
  assert.equal(fillText("Il manque : {what}", { what: ["A", "B"] }, "fr"), "Il manque : A et B")
  assert.equal(createFormats("fr", "UTC").distance(1234), "1,2 km".replace(" ", "\u202f"))
  const spanish = "one={count} tarea|many={count} de tareas|other={count} tareas"
  assert.equal(fillText(spanish, { count: 12_000 }, "es"), "12.000 tareas")
  assert.equal(fillText(spanish, { count: 1_000_000 }, "es"), "1.000.000 de tareas")
  assert.equal(fillText("one={count} arrêt|many,other={count} arrêts", { count: 0 }, "fr"), "0 arrêt")
  const arabic = "zero=لا مهام|one=مهمة|two=مهمتان|few={count} مهام|many={count} مهمة|other={count} مهمة"
  const forms = [0, 1, 2, 3, 11, 100].map((count) => fillText(arabic, { count }, "ar").replace(/\P{L}/gu, ""))
  assert.deepEqual(forms, ["لامهام", "مهمة", "مهمتان", "مهام", "مهمة", "مهمة"])
  assert.equal(fillText("Hello {name}", {}, "en"), "Hello {name}")
})

test("every language has every text, with its parameters and plural forms", async () => {
  assert.equal(await checkConsoleLanguages(), undefined)
})

test("a day ends with its last millisecond in the zone, also when the clock changes", () => {
  assert.equal(dayBound("2026-03-29", "from", "Europe/Lisbon"), "2026-03-29T00:00:00.000Z")
  assert.equal(dayBound("2026-03-29", "to", "Europe/Lisbon"), "2026-03-29T22:59:59.999Z")
  assert.equal(localOf(instantOf("2026-07-01T08:00", "Asia/Jakarta"), "Asia/Jakarta"), "2026-07-01T08:00")
})

test("a task without a title has the name of its flow", () => {
  assert.equal(withHeadingText<{ title: string }>({ title: null, flow: "Delivery" }).title, "Delivery")
  assert.equal(
    withHeadingText<{ title: string }>({ title: ["Café", "Bar"], flow: "Delivery" }).title,
    "Café, Bar",
  )
  assert.deepEqual(withHeadingText({ status: "DONE" }), { status: "DONE" })
})
