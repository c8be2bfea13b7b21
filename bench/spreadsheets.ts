/**
 * Time and memory of reading, spooling and writing sheets of ten columns.
 * `node bench/spreadsheets.ts` measures 100,000 and 1,000,000 rows; other counts may be given as arguments.
 * Every figure comes from a process of its own, so that the peak of its resident memory is the work's alone.
 */
import { execFileSync } from "node:child_process"
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { finished, pipeline } from "node:stream/promises"
import { parse } from "csv-parse"
import { streamXlsxRows, writeXlsxStream } from "hucre/xlsx"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import { writeJsonZip } from "#packages/spreadsheets/json/write-json.ts"
import { openSheet } from "#packages/spreadsheets/open-sheet.ts"
import type { SheetColumn, SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { fileSpoolSource, readSpool, writeSpool } from "#packages/spreadsheets/spool/spool.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { workbookParts } from "#packages/spreadsheets/xlsx/xlsx-parts.ts"
import { zipWriter } from "#packages/spreadsheets/xlsx/zip-writer.ts"

const columns: SheetColumn[] = [
  { title: "Code" },
  { title: "Name" },
  { title: "Crates" },
  { title: "Opens At", kind: "time" },
  { title: "Last Audit", kind: "dateTime" },
  { title: "Active" },
  { title: "Spot" },
  { title: "Phone" },
  { title: "Weight" },
  { title: "Note" },
]

function* valuesOf(rowCount: number): Generator<SheetValue[]> {
  const start = Date.UTC(2025, 0, 1)
  for (let row = 0; row < rowCount; row++) {
    const spot = `${(51 + (row % 1000) / 7919).toFixed(5)},${(-2 - (row % 777) / 6133).toFixed(5)}`
    yield [
      `DP-${row}`,
      `Depot number ${row}`,
      row % 97,
      (row % 1440) * 60_000,
      start + row * 60_000,
      row % 3 === 0,
      spot,
      "+44 117 496 0111",
      row / 8,
      `Ring twice, then wait ${row % 1000}`,
    ]
  }
}

type Work = (rowCount: number, folder: string) => Promise<unknown>

const works: Record<string, Work> = {
  "write csv": (rowCount, folder) =>
    toFile(join(folder, "csv"), (out) => writeCsv(out, { columns, rows: valuesOf(rowCount) })),
  "write xlsx": (rowCount, folder) =>
    toFile(join(folder, "xlsx"), (out) =>
      writeXlsx(out, [{ name: "Depots", columns, rows: valuesOf(rowCount) }]),
    ),
  "write xlsx (hucre alone)": (rowCount, folder) =>
    pipeline(
      Readable.fromWeb(writeXlsxStream(hucreRows(rowCount), { name: "Depots" })),
      createWriteStream(join(folder, "hucre")),
    ),
  "write json zip": (rowCount, folder) =>
    toFile(join(folder, "json"), (out) =>
      writeJsonZip(out, { baseName: "depots", items: valuesOf(rowCount), itemsPerFile: 10_000 }),
    ),
  "write xlsx with shared strings": (rowCount, folder) =>
    toFile(join(folder, "shared"), (out) => writeSharedStrings(out, rowCount)),
  "read csv": (_, folder) => readAll(join(folder, "csv")),
  "read csv (csv-parse alone)": async (_, folder) => {
    for await (const record of createReadStream(join(folder, "csv")).pipe(parse())) void record
  },
  "read xlsx": (_, folder) => readAll(join(folder, "xlsx")),
  "read xlsx (hucre alone)": async (_, folder) => {
    for await (const row of streamXlsxRows(readFileSync(join(folder, "xlsx")))) void row
  },
  "read xlsx with shared strings": (_, folder) => readAll(join(folder, "shared")),
  "read xlsx with shared strings (hucre alone)": async (_, folder) => {
    for await (const row of streamXlsxRows(readFileSync(join(folder, "shared")))) void row
  },
  "spool csv": async (_, folder) => {
    const sheet = await openSheet(join(folder, "csv"))
    await writeSpool(join(folder, "spool"), sheet.rows(), { rowsPerChunk: 100 })
    await sheet.close()
  },
  "read spool": async (_, folder) => {
    await withSpool(folder, async (spool) => {
      for (let chunk = 0; chunk < spool.chunkCount; chunk++) await spool.chunk(chunk)
    })
  },
  "last chunk of spool": (_, folder) => withSpool(folder, (spool) => spool.chunk(spool.chunkCount - 1)),
  "last chunk of csv without spool": async (rowCount, folder) => {
    const sheet = await openSheet(join(folder, "csv"))
    for await (const row of sheet.rows({ fromRow: rowCount - 98 })) void row
    await sheet.close()
  },
}

function* hucreRows(rowCount: number) {
  for (const row of valuesOf(rowCount))
    yield row.map((value) => (typeof value === "bigint" ? null : value)) as []
}

async function toFile(path: string, write: (out: ReturnType<typeof createWriteStream>) => Promise<unknown>) {
  const out = createWriteStream(path)
  await write(out)
  out.end()
  await finished(out)
}

/** As Excel writes it: every text in a table of its own part, four new ones a row, sheets first. */
async function writeSharedStrings(
  out: ReturnType<typeof createWriteStream>,
  rowCount: number,
): Promise<void> {
  const zip = zipWriter(out, { level: 1 })
  const { "xl/_rels/workbook.xml.rels": relations = "", ...parts } = workbookParts(["Depots"])
  for (const [path, xml] of Object.entries(parts)) await zip.part(path, [xml])
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
  const link = `<Relationship Id="rId9" Type="${type}" Target="sharedStrings.xml"/></Relationships>`
  await zip.part("xl/_rels/workbook.xml.rels", [relations.replace("</Relationships>", link)])
  await zip.part("xl/worksheets/sheet1.xml", inPieces(sheet()))
  await zip.part("xl/sharedStrings.xml", inPieces(strings()))
  await zip.finish()

  function* sheet() {
    yield "<worksheet><sheetData>"
    for (let row = 0; row < rowCount; row++) {
      const texts = [0, 1, 2, 3].map((text) => `<c t="s"><v>${row * 4 + text}</v></c>`)
      yield `<row>${texts.join("")}${`<c><v>${row}</v></c>`.repeat(6)}</row>`
    }
    yield "</sheetData></worksheet>"
  }
  function* strings() {
    yield "<sst>"
    for (let text = 0; text < rowCount * 4; text++) yield `<si><t>Depot by the harbour ${text}</t></si>`
    yield "</sst>"
  }
}

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = ""
  for (const text of texts) {
    piece += text
    if (piece.length < 64 * 1024) continue
    yield piece
    piece = ""
  }
  yield piece
}

async function readAll(path: string): Promise<void> {
  const sheet = await openSheet(path)
  for await (const row of sheet.rows()) void row
  await sheet.close()
}

async function withSpool(
  folder: string,
  use: (spool: Awaited<ReturnType<typeof readSpool>>) => Promise<unknown>,
) {
  const file = await open(join(folder, "spool"))
  await use(await readSpool(await fileSpoolSource(file)))
  await file.close()
}

const [mode, ...rest] = process.argv.slice(2)
if (mode === "--one") {
  const [name = "", rowCount = "0", folder = ""] = rest
  const before = process.memoryUsage().rss
  const start = performance.now()
  await works[name]?.(Number(rowCount), folder)
  const seconds = (performance.now() - start) / 1000
  const grownMegabytes = (process.resourceUsage().maxRSS * 1024 - before) / 1e6
  console.log(JSON.stringify({ seconds, grownMegabytes }))
} else {
  const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000]
  for (const rowCount of counts) {
    const folder = mkdtempSync(join(tmpdir(), "bench-spreadsheets-"))
    console.log(
      `\n${rowCount.toLocaleString("en")} rows of 10 columns${" ".repeat(22)}seconds   memory grows`,
    )
    for (const name of Object.keys(works)) {
      const output = execFileSync(process.execPath, [
        import.meta.filename,
        "--one",
        name,
        String(rowCount),
        folder,
      ])
      const { seconds, grownMegabytes } = JSON.parse(output.toString())
      console.log(
        `${name.padEnd(46)}${seconds.toFixed(2).padStart(9)}${grownMegabytes.toFixed(0).padStart(10)} MB`,
      )
    }
    const sizes = ["csv", "xlsx", "hucre", "json", "shared", "spool"].map(
      (name) => `${name} ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`,
    )
    console.log(`Files: ${sizes.join(", ")}`)
    rmSync(folder, { recursive: true })
  }
}
