import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { aFile, aFolder, aWorkbook, textsOf } from "../fixtures/files.ts"
import { openSheet } from "../open-sheet.ts"
import { SuspectFileError } from "../suspect-file.ts"

const suspect = (code: string) => (error: unknown) => {
  assert.ok(error instanceof SuspectFileError, String(error))
  assert.equal(error.code, code)
  return true
}
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

test("shared, inline and formula texts are read with their entities, runs and escapes", async (t) => {
  const file = await aWorkbook({
    strings: `<si><t>plain</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>reading</t></rPh></si><si/>`,
    sheetData: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>
      <c r="D1" t="inlineStr"><is><t xml:space="preserve">a &amp;&lt;&#233;&#x1F600;&gt; _x0041_</t></is></c>
      <c r="E1" t="str"><f>UPPER("x")</f><v>X</v></c><c r="F1" t="inlineStr"><is><t><![CDATA[1 < 2 & 3]]></t></is></c></row>`,
  })
  assert.deepEqual(await textsOf(aFile(t, file)), ["1: plain | two runs |  | a &<é😀> A | X | 1 < 2 & 3"])
})

test("namespace prefixes, single quotes and cells without references make no difference", async (t) => {
  const sheet = `<?xml version='1.0'?><x:worksheet xmlns:x='urn:x'><!-- > --><x:sheetData><x:row r='3'><x:c r='B3'><x:v>1</x:v></x:c><x:c
    t='b'><x:v>1</x:v></x:c></x:row><x:row><x:c/><x:c><x:v>5.0</x:v></x:c></x:row></x:sheetData></x:worksheet>`
  assert.deepEqual(await textsOf(aFile(t, await aWorkbook({ sheet }))), ["3:  | 1 | true", "4:  | 5"])
})

test("numbers show neither exponents nor the noise of binary fractions, and long ones keep their digits", async (t) => {
  const numbers = [
    "1E3",
    "1.5E-7",
    "0.30000000000000004",
    "5.0",
    "-0",
    "1.2E+20",
    "12345678901234567890",
    "9007199254740991",
  ]
  const sheetData = `<row>${numbers.map((number) => `<c><v>${number}</v></c>`).join("")}</row>`
  assert.deepEqual(await textsOf(aFile(t, await aWorkbook({ sheetData }))), [
    "1: 1000 | 0.00000015 | 0.3 | 5 | 0 | 120000000000000000000 | 12345678901234567890 | 9007199254740991",
  ])
})

test("a workbook that declares XML entities is refused before any is expanded", async (t) => {
  const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row>${inline("&b;")}</row></sheetData></worksheet>`
  await assert.rejects(textsOf(aFile(t, await aWorkbook({ sheet }))), suspect("xml-entities"))
})

test("a zip bomb is refused by its directory, before anything is unpacked", async (t) => {
  const zeros = Buffer.alloc(1024 * 1024, "0")
  const file = await aWorkbook({ sheet: Array.from({ length: 64 }, () => zeros) })
  assert.ok(file.length < 200_000)
  await assert.rejects(
    openSheet(aFile(t, file), { limits: { maxExpandedBytes: 63 * 1024 * 1024 } }),
    suspect("expands-too-large"),
  )
})

test("a zip bomb whose directory lies is refused while it unpacks", async (t) => {
  const zeros = Buffer.alloc(1024 * 1024, " ")
  const file = await aWorkbook({ sheet: Array.from({ length: 64 }, () => zeros) })
  // The directory entry of the sheet claims 1,000 bytes unpacked.
  const at = file.lastIndexOf("xl/worksheets/sheet1.xml") - 46
  assert.equal(file.readUInt32LE(at), 0x02014b50)
  file.writeUInt32LE(1000, at + 24)
  await assert.rejects(textsOf(aFile(t, file)), suspect("expands-too-large"))
})

test("20,000 columns, a cell of 10 MB and rows out of order are refused", async (t) => {
  const wide = `<row>${"<c><v>1</v></c>".repeat(20_000)}</row>`
  await assert.rejects(textsOf(aFile(t, await aWorkbook({ sheetData: wide }))), suspect("too-many-columns"))
  const long = `<row>${inline("x".repeat(10_000_000))}</row>`
  await assert.rejects(textsOf(aFile(t, await aWorkbook({ sheetData: long }))), suspect("cell-too-long"))
  const shared = {
    strings: `<si><t>${"x".repeat(32_768)}</t></si>`,
    sheetData: `<row><c t="s"><v>0</v></c></row>`,
  }
  await assert.rejects(textsOf(aFile(t, await aWorkbook(shared))), /A1 has 32768 characters/)
  const unordered = `<row r="2">${inline("a")}</row><row r="1">${inline("b")}</row>`
  await assert.rejects(textsOf(aFile(t, await aWorkbook({ sheetData: unordered }))), suspect("damaged"))
})

test("blank cells far out, and formatted rows at the end, count for nothing", async (t) => {
  const sheetData = `<row r="1">${inline("a")}<c r="XFD1" s="0"/></row><row r="1048576"><c r="A1048576" s="0"/></row>`
  assert.deepEqual(
    await textsOf(aFile(t, await aWorkbook({ sheetData, cellFormats: '<xf numFmtId="0"/>' }))),
    ["1: a"],
  )
})

test("a sheet that is taken in part leaves the file readable", async (t) => {
  const rows = Array.from({ length: 5_000 }, (_, index) => `<row>${inline(`row ${index}`)}</row>`).join("")
  const path = join(aFolder(t), "book")
  writeFileSync(path, await aWorkbook({ sheetData: rows }))
  const sheet = await openSheet(path)
  for (let turn = 0; turn < 20; turn++) {
    for await (const row of sheet.rows()) if (row.rowNumber === 3) break
  }
  assert.equal(await sheet.countRows(), 5_000)
  await sheet.close()
})
