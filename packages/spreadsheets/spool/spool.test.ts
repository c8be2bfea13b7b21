import assert from "node:assert/strict"
import { open, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import fc from "fast-check"
import { type Cell, emptyCell, type SheetRow, textCell } from "../cell.ts"
import { aFile, aFolder } from "../fixtures/files.ts"
import { openSheet } from "../open-sheet.ts"
import { fileSpoolSource, readSpool, writeSpool } from "./spool.ts"

async function reopened(t: TestContext, path: string) {
  const file = await open(path)
  t.after(() => file.close())
  return readSpool(await fileSpoolSource(file))
}

test("any chunk of a spooled sheet is read without the ones before it", async (t) => {
  const lines = Array.from({ length: 250 }, (_, index) => `${index},"Köln ""${index}""\n2"`)
  const sheet = await openSheet(aFile(t, `id,name\n\n${lines.join("\n")}\n`))
  t.after(() => sheet.close())
  const path = join(aFolder(t), "spool")
  const { header, ...summary } = await writeSpool(path, sheet.rows(), { rowsPerChunk: 100 })
  assert.deepEqual(summary, { rowCount: 250, chunkCount: 3, rowsPerChunk: 100 })
  const spool = await reopened(t, path)
  assert.deepEqual(spool.header, header)
  assert.deepEqual(await spool.chunk(2), (await Array.fromAsync(sheet.rows())).slice(201))
  assert.deepEqual((await spool.chunk(0)).length, 100)
  await assert.rejects(spool.chunk(3), RangeError)
})

test("a sheet without rows, and one without even a header, make a spool of no chunks", async (t) => {
  const path = join(aFolder(t), "spool")
  const summary = await writeSpool(path, rowsOf([{ rowNumber: 1, cells: [textCell("a")] }]), {
    rowsPerChunk: 10,
  })
  assert.equal(summary.chunkCount, 0)
  assert.equal((await reopened(t, path)).header?.rowNumber, 1)
  await writeSpool(path, rowsOf([]), { rowsPerChunk: 10 })
  assert.equal((await reopened(t, path)).header, undefined)
})

test("a spool that was interrupted anywhere is recognised", async (t) => {
  const path = join(aFolder(t), "spool")
  const rows = Array.from({ length: 30 }, (_, index) => ({
    rowNumber: index + 1,
    cells: [textCell(`row ${index}`)],
  }))
  await writeSpool(path, rowsOf(rows), { rowsPerChunk: 10 })
  const whole = await readFile(path)
  for (let length = 0; length < whole.length; length += 7) {
    await writeFile(path, whole.subarray(0, length))
    const file = await open(path)
    await assert.rejects(readSpool(await fileSpoolSource(file)), /not finished/)
    await file.close()
  }
})

test("every kind of cell comes out of a spool as it went in", async (t) => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const plain = { noNullPrototype: true } as const
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    fc.constant(emptyCell),
    fc.string({ unit: "binary", minLength: 1 }).map(textCell),
    fc.boolean().map((value): Cell => ({ kind: "boolean", value })),
    fc.record(
      {
        kind: fc.constant("number" as const),
        value: number.map((n) => n + 0),
        text: fc.constantFrom("1", "007"),
        dateSystem: fc.constant("1904" as const),
      },
      { ...plain, requiredKeys: ["kind", "value", "text"] },
    ),
    fc.record(
      {
        kind: fc.constant("date" as const),
        serial: number.map((n) => n + 0),
        dateSystem: fc.constantFrom("1900" as const, "1904" as const),
        shape: fc.constantFrom("date" as const, "time" as const, "dateTime" as const, "duration" as const),
      },
      plain,
    ),
    fc.record({ kind: fc.constant("error" as const), text: fc.constantFrom("#N/A", "#REF!") }, plain),
  )
  const rows = fc.array(fc.array(cell, { maxLength: 4 }), { minLength: 1, maxLength: 7 })
  const path = join(aFolder(t), "spool")
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 4 }), async (cells, rowsPerChunk) => {
      const all = cells.map((row, index): SheetRow => ({ rowNumber: index * 2 + 1, cells: row }))
      const { chunkCount } = await writeSpool(path, rowsOf(all), { rowsPerChunk })
      const file = await open(path)
      const spool = await readSpool(await fileSpoolSource(file))
      const read: SheetRow[] = spool.header ? [spool.header] : []
      for (let chunk = 0; chunk < chunkCount; chunk++) read.push(...(await spool.chunk(chunk)))
      await file.close()
      assert.deepEqual(read, all)
    }),
    { numRuns: 50 },
  )
})

async function* rowsOf(rows: readonly SheetRow[]): AsyncGenerator<SheetRow> {
  yield* rows
}
