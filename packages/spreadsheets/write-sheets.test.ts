import assert from "node:assert/strict"
import { PassThrough, Writable } from "node:stream"
import { test } from "node:test"
import fc from "fast-check"
import { readXlsx } from "hucre/xlsx"
import { cellToNumber, cellToText } from "./cell-text.ts"
import { writeCsv } from "./csv/write-csv.ts"
import { aFile, textsOf, written } from "./fixtures/files.ts"
import { openSheet } from "./open-sheet.ts"
import type { SheetValue } from "./sheet-values.ts"
import { writeTemplate } from "./write-template.ts"
import { writeXlsx } from "./xlsx/write-xlsx.ts"

const columns = [
  { title: "Name" },
  { title: "Done At", kind: "dateTime" as const },
  { title: "Day", kind: "date" as const },
  { title: "Opens", kind: "time" as const },
  { title: "Amount" },
]
const moment = Date.UTC(2025, 4, 2, 14, 5, 30)
const rows: SheetValue[][] = [
  ["Zoë & <Söhne>", moment, moment, 6.5 * 3_600_000, 12.5],
  [
    '=HYPERLINK("x")',
    Temporal.PlainDateTime.from("2025-05-02T14:05:30"),
    Temporal.PlainDate.from("2025-05-02"),
    Temporal.PlainTime.from("06:30"),
    -3,
  ],
  ["  spaced\r\n_x0041_ ", null, undefined, undefined, 12345678901234567890n],
  [true, undefined, Date.UTC(1800, 0, 1), null, Number.NaN],
]
const shown = [
  "1: Name | Done At | Day | Opens | Amount",
  "2: Zoë & <Söhne> | 2025-05-02 14:05:30 | 2025-05-02 | 06:30:00 | 12.5",
  '3: =HYPERLINK("x") | 2025-05-02 14:05:30 | 2025-05-02 | 06:30:00 | -3',
  "4: spaced\r\n_x0041_ |  |  |  | 12345678901234567890",
  "5: true |  | 1800-01-01",
]

test("a written workbook and a written CSV read back as what was meant", async (t) => {
  const xlsx = await written((out) => writeXlsx(out, [{ name: "Tasks", columns, rows }]))
  assert.deepEqual(await textsOf(aFile(t, xlsx)), shown)
  const csv = await written((out) => writeCsv(out, { columns, rows }))
  assert.deepEqual(await textsOf(aFile(t, csv)), shown)
})

test("a second reader finds text where text was given, real dates, and no formula", async () => {
  const xlsx = await written((out) => writeXlsx(out, [{ name: "Tasks", columns, rows }]))
  const { sheets } = await readXlsx(xlsx)
  assert.deepEqual(sheets[0]?.rows[2], [
    '=HYPERLINK("x")',
    new Date(moment),
    new Date(Date.UTC(2025, 4, 2)),
    sheets[0]?.rows[1]?.[3],
    -3,
  ])
  assert.equal(sheets[0]?.rows[3]?.[4], "12345678901234567890")
  assert.ok(!xlsx.includes("<f>"))
})

test("sheets get names that programs accept, and keep their order", async (t) => {
  const names = [
    "Order/Items: [1]",
    "order items 1",
    "",
    "A name that is far longer than a tab can be",
    "'History'",
  ]
  const xlsx = await written((out) =>
    writeXlsx(
      out,
      names.map((name) => ({ name, columns: [{ title: name }], rows: [] })),
    ),
  )
  const sheet = await openSheet(aFile(t, xlsx))
  t.after(() => sheet.close())
  assert.deepEqual(
    sheet.sheets.map(({ name }) => name),
    ["Order Items 1", "order items 1 (2)", "Sheet", "A name that is far longer than", "Sheet (2)"],
  )
})

test("a CSV is after RFC 4180, with formulas disarmed and numbers left alone", async () => {
  const csv = await written((out) =>
    writeCsv(out, {
      columns: [{ title: "a" }, { title: "b" }],
      byteOrderMark: false,
      rows: [
        ["=1+1", "-12.5"],
        ["+44 117", "@x"],
        ["\tx", 'say "hi", twice'],
        ["'=quoted", "it's"],
        [-1.5, 1e21],
      ],
    }),
  )
  assert.equal(
    csv.toString(),
    "a,b\r\n'=1+1,-12.5\r\n'+44 117,'@x\r\n'\tx,\"say \"\"hi\"\", twice\"\r\n''=quoted,it's\r\n-1.5,1000000000000000000000\r\n",
  )
})

test("whatever text and numbers are written come back the same, from both formats", async (t) => {
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 10 }),
    fc.stringMatching(/^['=+@;＝＋－＠\t\r-]{1,3}[a-z"]{0,3}$/),
    fc.constantFrom("_x000D_", "_x005F_", "]]>", "&amp;", "true", "#N/A", "1e5", "00123"),
  )
  const text = words.filter((value) => value.trim() === value && value !== "" && isFileText(value))
  const number = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => value + 0)
    .filter((value) => Math.abs(value) < 1e15)
  const row = fc.tuple(text, number, text)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      const writing = { columns: [{ title: "a" }, { title: "b" }, { title: "c" }], rows }
      const files = [
        await written((out) => writeXlsx(out, [{ name: "x", ...writing }])),
        await written((out) => writeCsv(out, writing)),
      ]
      for (const file of files) {
        const sheet = await openSheet(aFile(t, file))
        const [, ...read] = await Array.fromAsync(sheet.rows())
        await sheet.close()
        const values = read.map(({ cells: [a, b, c] }) => [
          a && cellToText(a),
          b && cellToNumber(b, { decimal: "." }),
          c && cellToText(c),
        ])
        assert.deepEqual(values, rows)
      }
    }),
    { numRuns: 60 },
  )
})

test("rows are taken no faster than the stream accepts them, and no longer once it is gone", async () => {
  let taken = 0
  const released = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (;;) {
        taken++
        yield ["x".repeat(1000), Math.random()]
      }
    } finally {
      released.resolve()
    }
  }
  const stuck = new Writable({ highWaterMark: 16_384, write() {} })
  const writing = writeXlsx(stuck, [
    { name: "x", columns: [{ title: "a" }, { title: "b" }], rows: endless() },
  ])
  const outcome = assert.rejects(writing)
  while (!stuck.writableNeedDrain) await new Promise(setImmediate)
  for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
  stuck.destroy()
  await outcome
  await released.promise
  assert.ok(taken < 100_000, `${taken} rows were taken for a stream that accepts none`)
})

test("a stream that was closed before the first byte takes no row", async () => {
  const closed = new PassThrough()
  closed.destroy()
  await assert.rejects(writeCsv(closed, { columns, rows }))
})

test("a template has its header, its sample, its notes and its lists", async (t) => {
  const template = await writeTemplate([
    {
      name: "Meter Swap",
      columns: [
        { title: "Customer*", help: "Name of the customer", sample: "Ada Birch" },
        { title: "Job*", options: ["Install", "Repair, later"], strict: true, sample: "Install" },
        { title: "Postcode", kind: "text", sample: "01234" },
        { title: "Note", sample: "=1+1" },
      ],
    },
    { name: "Order", columns: [{ title: "ID" }, { title: "Item" }] },
  ])
  const path = aFile(t, template)
  assert.deepEqual(await textsOf(path), [
    "1: Customer* | Job* | Postcode | Note",
    "2: Ada Birch | Install | 01234 | =1+1",
  ])
  assert.deepEqual(await textsOf(path, { sheet: "Order" }), ["1: ID | Item"])
  assert.deepEqual(await textsOf(path, { sheet: "Options" }), ["1: Install", "2: Repair, later"])
  const { sheets } = await readXlsx(template, { readStyles: true })
  assert.equal(sheets[0]?.dataValidations?.[0]?.range, "B2:B10000")
  assert.equal(sheets[0]?.cells?.get("0,0")?.comment?.text, "Name of the customer")
  assert.equal(sheets[0]?.cells?.get("1,3")?.formula, undefined)
  const sheet = await openSheet(path)
  t.after(() => sheet.close())
  assert.deepEqual(
    sheet.sheets.map(({ visible }) => visible),
    [true, true, false],
  )
})

/** What both formats can carry: no control characters, halves of characters, or marks that mean something to a file. */
function isFileText(value: string): boolean {
  const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0)
  return (
    value.isWellFormed() && codes.every((code) => (code > 31 || code === 9 || code === 10) && code !== 0xfeff)
  )
}
