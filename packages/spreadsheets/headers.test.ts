import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { textCell } from "./cell.ts"
import { headerTitles, matchHeaders } from "./headers.ts"

const columns = [
  { id: "dataId", title: "Partner Code", required: true },
  { id: "partnerName", title: "Partner Name", required: true },
  { id: "crates", title: "Crates" },
  { id: "opensAt", title: "Opens At" },
]
const match = (...titles: string[]) => matchHeaders(titles.map(textCell), columns)

test("headers match by title, then by id, whatever their case, spaces and stars", () => {
  const { positions, missing, duplicates, unknown } = match(
    "  partner   CODE *",
    "",
    "Colour",
    "opensAt",
    "Partner Name*",
  )
  assert.deepEqual(Object.fromEntries(positions), { dataId: 0, opensAt: 3, partnerName: 4 })
  assert.deepEqual(missing, [columns[2]])
  assert.deepEqual(duplicates, [])
  assert.deepEqual(unknown, ["Colour"])
})

test("headers that occur twice are named, also when one is a title and one an id, or nobody knows them", () => {
  assert.deepEqual(match("Crates", "Partner Name", "crates *").duplicates, ["crates *"])
  assert.deepEqual(match("Opens At", "opensAt").duplicates, ["opensAt"])
  assert.deepEqual(match("Notes", "notes").duplicates, ["notes"])
  assert.deepEqual(match("", " ", "").duplicates, [])
})

test("a title goes before an id that looks the same", () => {
  const odd = [
    { id: "a", title: "b" },
    { id: "b", title: "c" },
  ]
  assert.deepEqual(Object.fromEntries(matchHeaders([textCell("b"), textCell("c")], odd).positions), {
    a: 0,
    b: 1,
  })
})

test("the titles that a template writes always match the columns they were written for", () => {
  const word = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", "B", " ", "*", "ß", "1") })
  const column = fc.record({ title: word.filter((title) => /[^\s*]/.test(title)), required: fc.boolean() })
  fc.assert(
    fc.property(fc.array(column, { maxLength: 6 }), (titles) => {
      const known = titles.map((title, index) => ({ ...title, id: `field-${index}` }))
      const found = matchHeaders(headerTitles(known).map(textCell), known)
      assert.deepEqual(found.missing, [])
      assert.deepEqual(found.duplicates, [])
    }),
  )
})
