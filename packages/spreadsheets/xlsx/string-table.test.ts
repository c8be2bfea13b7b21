import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { stringTable } from "./string-table.ts"

test("texts come back by their number, from memory and from the temporary file alike", () => {
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 300 })
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 1000, 1_000_000), (texts, memoryBytes) => {
      const table = stringTable(memoryBytes)
      for (const text of texts) table.add(text)
      table.seal()
      for (let index = texts.length - 1; index >= 0; index--) assert.equal(table.get(index), texts[index])
      assert.equal(table.get(texts.length), undefined)
      table.close()
    }),
  )
})

test("a table far larger than its memory is read in any order", () => {
  const table = stringTable(10_000)
  const count = 100_000
  for (let index = 0; index < count; index++) table.add(`text ${index}`)
  table.seal()
  for (let index = 0; index < count; index++) {
    const somewhere = (index * 7919) % count
    assert.equal(table.get(somewhere), `text ${somewhere}`)
  }
  table.close()
})
