import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { aFile, textsOf } from "../fixtures/files.ts"
import { openSheet } from "../open-sheet.ts"
import { SuspectFileError } from "../suspect-file.ts"

const suspect = (code: string) => (error: unknown) => error instanceof SuspectFileError && error.code === code

const text = "Name;Straße\r\nZoë;Köln\r\n"
const encodings: [name: string, bytes: Buffer, found: string][] = [
  ["UTF-8", Buffer.from(text), "utf-8"],
  ["UTF-8 with a byte-order mark", Buffer.from(`\uFEFF${text}`), "utf-8"],
  ["UTF-16LE with a byte-order mark", Buffer.from(`\uFEFF${text}`, "utf16le"), "utf-16le"],
  ["UTF-16BE with a byte-order mark", Buffer.from(`\uFEFF${text}`, "utf16le").swap16(), "utf-16be"],
  ["UTF-16LE without a mark", Buffer.from(text, "utf16le"), "utf-16le"],
  ["latin-1", Buffer.from(text, "latin1"), "windows-1252"],
]
for (const [name, bytes, found] of encodings) {
  test(`a CSV in ${name} is read as written`, async (t) => {
    const path = aFile(t, bytes)
    const sheet = await openSheet(path)
    t.after(() => sheet.close())
    assert.equal(sheet.format, "csv")
    assert.equal(sheet.encoding, found)
    assert.equal(sheet.delimiter, ";")
    assert.deepEqual(await textsOf(path), ["1: Name | Straße", "2: Zoë | Köln"])
  })
}

test("windows-1252 has its euro and its quotes", async (t) => {
  const path = aFile(t, Buffer.from([0x61, 0x2c, 0x80, 0x0a, 0x93, 0x62, 0x94, 0x2c, 0x63, 0x0a]))
  assert.deepEqual(await textsOf(path), ["1: a | €", "2: “b” | c"])
})

test("a latin-1 letter in the last row decides the encoding of the whole file", async (t) => {
  const path = aFile(
    t,
    Buffer.concat([Buffer.from("a,b\n".repeat(100_000)), Buffer.from("caf\xe9,x\n", "latin1")]),
  )
  assert.equal((await textsOf(path)).at(-1), "100001: café | x")
})

test("characters that straddle blocks of the file stay whole", async (t) => {
  const path = aFile(t, `x${"é€😀".repeat(300)}\n`.repeat(600))
  const texts = new Set((await textsOf(path)).map((line) => line.replace(/^\d+: /, "")))
  assert.deepEqual([...texts], [`x${"é€😀".repeat(300)}`])
})

test("delimiters are found, and a decimal comma does not pass for one", async (t) => {
  assert.deepEqual(await textsOf(aFile(t, "a\tb\n1\t2\n")), ["1: a | b", "2: 1 | 2"])
  assert.deepEqual(await textsOf(aFile(t, "a|b\n1|2\n")), ["1: a | b", "2: 1 | 2"])
  assert.deepEqual(await textsOf(aFile(t, "a;b\n1,5;2,5\n3,25;4\n")), [
    "1: a | b",
    "2: 1,5 | 2,5",
    "3: 3,25 | 4",
  ])
  assert.deepEqual(await textsOf(aFile(t, 'a,b\n"x;y;z",1\n"p;q",2\n')), [
    "1: a | b",
    "2: x;y;z | 1",
    "3: p;q | 2",
  ])
  assert.deepEqual(await textsOf(aFile(t, "sep=;\r\na,x;b\r\n1;2\r\n")), ["1: a,x | b", "2: 1 | 2"])
  assert.deepEqual(await textsOf(aFile(t, "only\none\ncolumn\n")), ["1: only", "2: one", "3: column"])
})

test("every kind of line end is one, also mixed, and a quoted one belongs to its cell", async (t) => {
  assert.deepEqual(await textsOf(aFile(t, "a,b\rc,d\re,f")), ["1: a | b", "2: c | d", "3: e | f"])
  assert.deepEqual(await textsOf(aFile(t, 'a,b\r\n"1\r\n2",3\n4,5\r\n')), [
    "1: a | b",
    "2: 1\r\n2 | 3",
    "3: 4 | 5",
  ])
})

test("blank rows are left out and keep their numbers", async (t) => {
  const path = aFile(t, "a,b\n\n,,,\n  , \n1,2,,,\n\n\n")
  assert.deepEqual(await textsOf(path), ["1: a | b", "5: 1 | 2"])
  const sheet = await openSheet(path)
  t.after(() => sheet.close())
  assert.equal(await sheet.countRows(), 2)
  assert.deepEqual(
    (await Array.fromAsync(sheet.rows({ fromRow: 2 }))).map((row) => row.rowNumber),
    [5],
  )
})

test("a quote inside an unquoted cell is an ordinary character", async (t) => {
  assert.deepEqual(await textsOf(aFile(t, 'size,x\n5" pipe,"say ""hi"""\n')), [
    "1: size | x",
    '2: 5" pipe | say "hi"',
  ])
})

test("a CSV cut in the middle of a quoted cell is refused with the row", async (t) => {
  await assert.rejects(textsOf(aFile(t, 'a,b\n1,2\n3,"and then')), (error) => {
    assert.ok(suspect("unclosed-quote")(error))
    assert.match(String(error), /row 3/)
    return true
  })
})

test("a quote that is never closed does not pull the rest of a large file into memory", async (t) => {
  const path = aFile(t, `a,b\n1,"${"x,y\n".repeat(200_000)}`)
  await assert.rejects(textsOf(path, { limits: { maxCsvCellLength: 10_000 } }), suspect("cell-too-long"))
})

test("rows, columns and cells beyond the limits are refused", async (t) => {
  const limits = { maxRows: 3, maxColumns: 4, maxCsvCellLength: 5 }
  assert.equal((await textsOf(aFile(t, "a,b,c,d\n12345\n3\n\n\n"), { limits })).length, 3)
  await assert.rejects(textsOf(aFile(t, "1\n2\n3\n4\n"), { limits }), suspect("too-many-rows"))
  await assert.rejects(textsOf(aFile(t, "a,b,c,d,e\n"), { limits }), suspect("too-many-columns"))
  await assert.rejects(textsOf(aFile(t, "a,b\n1,123456\n"), { limits }), /A cell contains too much text: B2/)
})

test("whatever a conforming writer puts into cells comes out again", async (t) => {
  const cell = fc.string({ unit: "binary", maxLength: 12 }).filter(isOrdinaryText)
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom("\n", "\r\n"), async (cells, lineEnd) => {
      const quoted = cells.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","))
      const sheet = await openSheet(aFile(t, quoted.join(lineEnd) + lineEnd))
      const read = await Array.fromAsync(sheet.rows())
      await sheet.close()
      const expected = cells.flatMap((row, index) => {
        const end = row.findLastIndex((value) => value.trim() !== "") + 1
        return end === 0 ? [] : [{ rowNumber: index + 1, texts: row.slice(0, end) }]
      })
      const texts = read.map(({ rowNumber, cells }) => ({
        rowNumber,
        texts: cells.map((value) => (value.kind === "text" ? value.text : "")),
      }))
      assert.deepEqual(texts, expected)
    }),
    { numRuns: 100 },
  )
})

/** Without what is no text (control characters, halves of characters) and what means something at the start of a file. */
function isOrdinaryText(value: string): boolean {
  const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0)
  return (
    value.isWellFormed() &&
    codes.every((code) => (code > 31 || code === 10 || code === 13) && code !== 0xfeff)
  )
}
