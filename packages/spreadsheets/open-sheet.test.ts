import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { writeXlsx } from "hucre/xlsx"
import { aFile, aWorkbook, aZip, textsOf } from "./fixtures/files.ts"
import { openSheet } from "./open-sheet.ts"
import { type SuspectFileCode, SuspectFileError } from "./suspect-file.ts"

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name)

for (const name of ["libreoffice.xlsx", "libreoffice.xls", "libreoffice-1904.xlsx", "libreoffice-1904.xls"]) {
  test(`${name} shows what its author saw: dates, padded numbers, formulas, errors, merged cells`, async () => {
    assert.deepEqual(await textsOf(fixture(name)), [
      "1: Name | Day | Seen At | Opens | Postcode | Active | Amount | Double | Label | Broken",
      "2: Müller & Söhne “Depot” | 2026-03-31 | 2025-05-02 14:05:30 | 06:30:00 | 01234 | true | 12.5 | 25 | Müller & Söhne “Depot”! | #DIV/0!",
      "6: merged |  |  |  |  | false | 0.3",
    ])
  })

  test(`${name} opens at its first visible sheet and gives the others by name`, async (t) => {
    const sheet = await openSheet(fixture(name))
    t.after(() => sheet.close())
    assert.equal(sheet.format, name.endsWith("x") ? "xlsx" : "xls")
    assert.deepEqual(sheet.sheets, [
      { name: "Notes", visible: false },
      { name: "Visits", visible: true },
      { name: "Order", visible: true },
    ])
    assert.deepEqual(await textsOf(fixture(name), { sheet: " order" }), ["1: ID | Item", "2: 1 | Valve"])
    assert.equal(await sheet.countRows(), 3)
    assert.equal(await sheet.countRows({ sheet: "Notes" }), 1)
    await assert.rejects(sheet.countRows({ sheet: "Elsewhere" }), /no worksheet with this name: Elsewhere/)
  })
}

async function refusal(
  t: Parameters<typeof aFile>[0],
  content: string | Uint8Array,
): Promise<SuspectFileError> {
  try {
    await textsOf(aFile(t, content))
  } catch (error) {
    if (error instanceof SuspectFileError) return error
    throw error
  }
  return assert.fail("the file was read")
}

const strangers: [name: string, content: string | Uint8Array, code: SuspectFileCode, text: RegExp][] = [
  ["an empty file", "", "empty-file", /empty/],
  ["a PDF", "%PDF-1.7\n1 0 obj", "wrong-type", /PDF/],
  ["an image", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), "wrong-type", /image/],
  ["a program", Buffer.from("\x7fELF\x02\x01\x01\0\0\0", "latin1"), "wrong-type", /program/],
  [
    "a web page that calls itself .xls",
    "\uFEFF <html><table><tr><td>1</td></tr></table></html>",
    "wrong-type",
    /web page/,
  ],
  ["XML Spreadsheet 2003", '<?xml version="1.0"?><Workbook/>', "wrong-type", /XML/],
  ["JSON", '[\n  {"a": 1}\n]', "wrong-type", /JSON/],
  [
    "an Excel 4 sheet",
    Buffer.from("\x09\x04\x06\x00\x07\x00\x10\x00", "latin1"),
    "wrong-type",
    /older than 97/,
  ],
  [
    "bytes of nothing known",
    Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)),
    "wrong-type",
    /binary/,
  ],
  [
    "a compound file of garbage",
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600, 7)]),
    "damaged",
    /damaged/,
  ],
  ["half a zip", Buffer.from("PK\x03\x04 and nothing else", "latin1"), "damaged", /damaged/],
]
for (const [name, content, code, text] of strangers) {
  test(`${name} is refused, whatever its name says`, async (t) => {
    const error = await refusal(t, content)
    assert.equal(error.code, code)
    assert.match(error.message, text)
  })
}

test("archives that are no workbook are refused by what they are", async (t) => {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
  assert.match((await refusal(t, await aZip({ "a.txt": "hello" }))).message, /zip archive/)
  assert.match(
    (await refusal(t, await aZip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" }))).message,
    /OpenDocument/,
  )
  assert.match((await refusal(t, await aWorkbook({ type: word }))).message, /Word/)
})

test("macro workbooks are refused, also when they deny it", async (t) => {
  const enabled = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
  assert.equal((await refusal(t, await aWorkbook({ type: enabled }))).code, "macro-workbook")
  const hidden = await aWorkbook({ more: { "xl/vbaProject.bin": "x" } })
  assert.equal((await refusal(t, hidden)).code, "macro-workbook")
})

test("password-protected workbooks are refused: .xlsx by its container, .xls by its record", async (t) => {
  const sheets = [{ name: "Data", rows: [["a"]] }]
  const xlsx = await writeXlsx({ sheets, encryption: { password: "open sesame", spinCount: 10 } })
  assert.equal((await refusal(t, xlsx)).code, "encrypted")
  const xls = readFileSync(fixture("libreoffice.xls"))
  // The code-page record becomes the record that announces encryption.
  const at = xls.indexOf(Buffer.from("42000200", "hex"))
  assert.ok(at > 0)
  xls.writeUInt16LE(0x2f, at)
  assert.equal((await refusal(t, xls)).code, "encrypted")
})

test("files that were cut off are refused, wherever the cut is", async (t) => {
  for (const name of ["libreoffice.xlsx", "libreoffice.xls"]) {
    const whole = readFileSync(fixture(name))
    for (let length = 64; length < whole.length - 512; length += 397) {
      const error = await refusal(t, whole.subarray(0, length))
      assert.ok(
        ["damaged", "wrong-type", "no-sheet"].includes(error.code),
        `${name} at ${length}: ${error.code}`,
      )
    }
  }
})

test("workbooks with any byte changed are read or refused, never anything else", async (t) => {
  for (const name of ["libreoffice.xlsx", "libreoffice.xls"]) {
    const whole = readFileSync(fixture(name))
    for (let at = 0; at < whole.length; at += 131) {
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] ?? 0) ^ 0xa5
      try {
        await textsOf(aFile(t, broken))
      } catch (error) {
        if (!(error instanceof SuspectFileError)) throw new Error(`${name} at ${at}`, { cause: error })
      }
    }
  }
})
