import type { FileHandle } from "node:fs/promises"
import { posix } from "node:path"
import type { DateSystem } from "../cell.ts"
import { type FormatMeaning, formatMeaning } from "../date-format.ts"
import { SuspectFileError } from "../suspect-file.ts"
import { attributeOf, xmlScanner } from "./xml-scan.ts"
import type { ZipEntry } from "./zip-directory.ts"
import { readZipPartText } from "./zip-part.ts"

/** What a workbook says about itself, before any cell is read. */
export interface XlsxWorkbook {
  readonly sheets: readonly { readonly name: string; readonly visible: boolean; readonly part: ZipEntry }[]
  readonly dateSystem: DateSystem
  /** By the style number of a cell. */
  readonly formats: readonly (FormatMeaning | undefined)[]
  readonly sharedStrings: ZipEntry | undefined
}

type Parts = ReadonlyMap<string, ZipEntry>
const maxPartBytes = 32 * 1024 * 1024

/** Reads the list of sheets, the date system and the number formats. `workbookPath` is the main part's name. */
export async function readXlsxWorkbook(
  file: FileHandle,
  parts: Parts,
  workbookPath: string,
): Promise<XlsxWorkbook> {
  const text = async (path: string) => {
    const part = parts.get(path)
    return part ? await readZipPartText(file, part, maxPartBytes) : undefined
  }
  const folder = posix.dirname(workbookPath)
  const links = parseRelations(
    (await text(posix.join(folder, "_rels", `${posix.basename(workbookPath)}.rels`))) ?? "",
    folder,
  )
  const workbook = parseWorkbook((await text(workbookPath)) ?? "")
  const sheets = workbook.sheets.flatMap(({ name, visible, link }) => {
    const target = links.find(({ id }) => id === link)
    // Chart sheets are in the same list and hold no cells.
    if (target?.kind !== "worksheet") return []
    const part = parts.get(target.path)
    if (!part) throw new SuspectFileError("damaged")
    return [{ name, visible, part }]
  })
  const linked = (kind: string) => links.find((link) => link.kind === kind)?.path
  return {
    sheets,
    dateSystem: workbook.dateSystem,
    formats: parseFormats((await text(linked("styles") ?? "")) ?? ""),
    sharedStrings: parts.get(linked("sharedStrings") ?? ""),
  }
}

/** Targets by id; `kind` is the last word of the type, which strict and transitional workbooks share. */
export function parseRelations(xml: string, folder: string): { id: string; kind: string; path: string }[] {
  const links: { id: string; kind: string; path: string }[] = []
  scan(xml, (name, attributes) => {
    if (name !== "Relationship") return
    const target = attributeOf(attributes, "Target") ?? ""
    links.push({
      id: attributeOf(attributes, "Id") ?? "",
      kind: posix.basename(attributeOf(attributes, "Type") ?? ""),
      path: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
    })
  })
  return links
}

function parseWorkbook(xml: string) {
  const sheets: { name: string; visible: boolean; link: string }[] = []
  let dateSystem: DateSystem = "1900"
  scan(xml, (name, attributes) => {
    if (name === "workbookPr" && /^(1|true)$/.test(attributeOf(attributes, "date1904") ?? "")) {
      dateSystem = "1904"
    }
    if (name !== "sheet") return
    const link = /\s\w+:id\s*=\s*["']([^"']*)/.exec(attributes)?.[1] ?? ""
    const state = attributeOf(attributes, "state") ?? "visible"
    sheets.push({ name: attributeOf(attributes, "name") ?? "", visible: state === "visible", link })
  })
  return { sheets, dateSystem: dateSystem as DateSystem }
}

function parseFormats(xml: string): (FormatMeaning | undefined)[] {
  const codes = new Map<number, string>()
  const formats: (FormatMeaning | undefined)[] = []
  let inCellFormats = false
  scan(
    xml,
    (name, attributes) => {
      if (name === "cellXfs") inCellFormats = true
      if (name === "numFmt") {
        codes.set(Number(attributeOf(attributes, "numFmtId")), attributeOf(attributes, "formatCode") ?? "")
      }
      if (name === "xf" && inCellFormats) {
        const id = Number(attributeOf(attributes, "numFmtId") ?? "0")
        formats.push(formatMeaning(id, codes.get(id)))
      }
    },
    (name) => {
      if (name === "cellXfs") inCellFormats = false
    },
  )
  return formats
}

function scan(
  xml: string,
  open: (name: string, attributes: string) => void,
  close: (name: string) => void = () => {},
): void {
  const scanner = xmlScanner({ open, close, text() {} })
  scanner.push(xml.replace(/^\uFEFF/, ""))
  scanner.end()
}
