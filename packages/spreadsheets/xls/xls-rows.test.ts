import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cellToText } from "../cell-text.ts"
import { defaultSheetLimits } from "../limits.ts"
import { SuspectFileError } from "../suspect-file.ts"
import type { CompoundStream } from "./compound-file.ts"
import { readRk, sharedStringParser, xlsRecord } from "./xls-records.ts"
import { readXlsRows } from "./xls-rows.ts"
import { readXlsWorkbook } from "./xls-workbook.ts"

function record(id: number, ...fields: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(fields.map((field) => Buffer.from(field)))
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(body.length, 2)
  return Buffer.concat([head, body])
}

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const double = (value: number) => Buffer.from(Float64Array.of(value).buffer)
const beginning = record(xlsRecord.beginningOfPart, u16(0x0600, 5))
const end = record(xlsRecord.endOfPart)
const number = (row: number, column: number, value: number) =>
  record(xlsRecord.number, u16(row, column, 0), double(value))

/** A stream that hands out its content in pieces of `pieceBytes`, so that records straddle them. */
function aStream(content: Buffer, pieceBytes = 7): CompoundStream {
  return {
    bytes: content.length,
    async *chunks(from) {
      for (let at = from; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
    },
  }
}

async function rowsOf(...cells: Buffer[]): Promise<string[]> {
  const globals = Buffer.concat([beginning, end])
  const stream = aStream(Buffer.concat([globals, beginning, ...cells, end]))
  const workbook = await readXlsWorkbook(stream)
  const rows = await Array.fromAsync(readXlsRows(stream, globals.length, workbook, defaultSheetLimits))
  return rows.map(
    ({ rowNumber, cells }) => `${rowNumber}: ${cells.map((cell) => cellToText(cell)).join(" | ")}`,
  )
}

test("cells that were stored column by column still come row by row", async () => {
  const cells = [number(0, 0, 1), number(4, 0, 2), number(0, 1, 3), number(4, 1, 4)]
  assert.deepEqual(await rowsOf(...cells), ["1: 1 | 3", "5: 2 | 4"])
})

test("formula results are numbers, texts that go on in a second record, booleans and errors", async () => {
  const formula = (column: number, result: number[] | Buffer) =>
    record(xlsRecord.formula, u16(0, column, 0), result, u16(0, 0, 0, 0))
  const rows = await rowsOf(
    formula(0, double(2.5)),
    formula(1, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
    record(xlsRecord.formulaText, u16(5), [0], Buffer.from("Mül", "latin1")),
    record(xlsRecord.continued, [1], Buffer.from("€r", "utf16le")),
    formula(2, [1, 0, 1, 0, 0, 0, 0xff, 0xff]),
    formula(3, [2, 0, 42, 0, 0, 0, 0xff, 0xff]),
    formula(4, [3, 0, 0, 0, 0, 0, 0xff, 0xff]),
  )
  assert.deepEqual(rows, ["1: 2.5 | Mül€r | true | #N/A"])
})

test("a chart inside a sheet is no part of its cells", async () => {
  const rows = await rowsOf(number(0, 0, 1), beginning, number(9, 9, 9), end, number(1, 0, 2))
  assert.deepEqual(rows, ["1: 1", "2: 2"])
})

test("a sheet that never ends is damaged", async () => {
  const stream = aStream(Buffer.concat([beginning, end, beginning, number(0, 0, 1)]))
  const workbook = await readXlsWorkbook(stream)
  const rows = readXlsRows(stream, beginning.length + end.length, workbook, defaultSheetLimits)
  await assert.rejects(Array.fromAsync(rows), SuspectFileError)
})

test("packed numbers are unpacked: whole, fraction, and either in hundredths", () => {
  const packed = (value: number) => readRk(Buffer.from(Int32Array.of(value).buffer), 0)
  assert.equal(packed((1234 << 2) | 2), 1234)
  assert.equal(packed((-1234 << 2) | 3), -12.34)
  assert.equal(packed(0x3ff80000), 1.5)
  assert.equal(packed(0x40590001), 1)
})

test("shared strings survive being cut into records anywhere", () => {
  const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "binary", maxLength: 30 }))
  const cuts = fc.infiniteStream(fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), cuts, (texts, cuts) => {
      const read: string[] = []
      const parser = sharedStringParser((found) => read.push(found))
      parser.next()
      for (const body of cutSharedStrings(texts, () => cuts.next().value)) parser.next(body)
      assert.deepEqual(read, texts)
    }),
  )
})

/** Bodies of the record and its continuations; the characters of a text may be cut, its head may not. */
function cutSharedStrings(texts: readonly string[], nextCut: () => number): Buffer[] {
  const bodies: Buffer[] = []
  const counts = Buffer.alloc(8)
  counts.writeUInt32LE(texts.length, 4)
  let body = [counts]
  const cut = () => {
    bodies.push(Buffer.concat(body))
    body = []
  }
  for (const text of texts) {
    if (nextCut() === 0) cut()
    const isWide = /[^\0-\xff]/.test(text)
    body.push(u16(text.length), Buffer.from([isWide ? 1 : 0]))
    for (let at = 0; at < text.length; ) {
      const length = nextCut()
      const part = text.slice(at, at + length)
      body.push(Buffer.from(part, isWide ? "utf16le" : "latin1"))
      at += length
      if (at >= text.length) break
      cut()
      body.push(Buffer.from([isWide ? 1 : 0]))
    }
  }
  cut()
  return bodies
}
