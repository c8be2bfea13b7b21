import type { FileHandle } from "node:fs/promises"
import { posix } from "node:path"
import type { GeoSheetFormat } from "./geo-rows.ts"
import { SuspectFileError } from "./suspect-file.ts"
import { parseRelations } from "./xlsx/xlsx-workbook.ts"
import { attributeOf, xmlScanner } from "./xlsx/xml-scan.ts"
import type { ZipEntry } from "./xlsx/zip-directory.ts"
import { readZipPartText } from "./xlsx/zip-part.ts"

export type SheetFormat = "csv" | "xlsx" | "xls" | GeoSheetFormat
export type Container = "zip" | "compound" | "text"

const latin = (text: string) => Buffer.from(text, "latin1")

const knownStrangers: readonly (readonly [start: Buffer, name: string])[] = [
  [latin("%PDF-"), "a PDF document"],
  [latin("\x89PNG"), "an image"],
  [latin("\xff\xd8\xff"), "an image"],
  [latin("GIF8"), "an image"],
  [latin("{\\rtf"), "a text document (RTF)"],
  [latin("\x1f\x8b"), "a gzip archive"],
  [latin("7z\xbc\xaf"), "a 7-Zip archive"],
  [latin("Rar!"), "a RAR archive"],
  [latin("SQLite format 3"), "a database"],
  [latin("\x7fELF"), "a program"],
  [latin("MZ\x90"), "a program"],
]
// Workbooks older than Excel 97 are a bare stream of records.
const oldExcel = [
  latin("\x09\x00\x04\x00"),
  latin("\x09\x02\x06\x00"),
  latin("\x09\x04\x06\x00"),
  latin("\x09\x08\x08\x00"),
]

/** What kind of file this is, by its first bytes. Throws SuspectFileError `wrong-type` with a name where it knows one. */
export function detectContainer(start: Buffer): Container {
  const begins = (mark: Buffer) => start.subarray(0, mark.length).equals(mark)
  if (begins(latin("PK\x03\x04")) || begins(latin("PK\x05\x06"))) return "zip"
  if (begins(latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))) return "compound"
  if (oldExcel.some(begins)) {
    throw new SuspectFileError(
      "wrong-type",
      "it was saved by a version of Excel older than 97. Save it as .xlsx and upload that file",
    )
  }
  const stranger = knownStrangers.find(([mark]) => begins(mark))
  if (stranger) throw new SuspectFileError("wrong-type", `it is ${stranger[1]}`)
  const text = start
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
  if (/^<(\?xml|!doctype|html|head|body|table|!--)/i.test(text)) {
    throw new SuspectFileError("wrong-type", "it is a web page or XML. Save it as .xlsx and upload that file")
  }
  if (/^(\{\s*"|\[\s*[{[])/.test(text)) throw new SuspectFileError("wrong-type", "it is JSON")
  return "text"
}

const mainPart =
  /^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.(sheet|template)\.main\+xml$/

/**
 * The path of the workbook part of an .xlsx. Throws SuspectFileError for macro workbooks and for every other
 * file that happens to be a zip archive.
 */
export async function findXlsxWorkbook(
  file: FileHandle,
  parts: ReadonlyMap<string, ZipEntry>,
): Promise<string> {
  const mimeType = parts.get("mimetype")
  if (mimeType || parts.has("content.xml")) {
    throw new SuspectFileError(
      "wrong-type",
      "it is an OpenDocument file. Save it as .xlsx and upload that file",
    )
  }
  const types = parts.get("[Content_Types].xml")
  const relations = parts.get("_rels/.rels")
  if (!types || !relations) throw new SuspectFileError("wrong-type", "it is a zip archive")
  const links = parseRelations(await readZipPartText(file, relations, 1024 * 1024), "")
  const path = links.find((link) => link.kind === "officeDocument")?.path ?? ""
  const type = contentType(await readZipPartText(file, types, 4 * 1024 * 1024), path)
  if (
    /macroenabled/i.test(type) ||
    [...parts.keys()].some((name) => posix.basename(name) === "vbaProject.bin")
  ) {
    throw new SuspectFileError("macro-workbook")
  }
  if (/wordprocessingml/.test(type)) throw new SuspectFileError("wrong-type", "it is a Word document")
  if (/presentationml/.test(type)) throw new SuspectFileError("wrong-type", "it is a presentation")
  if (!mainPart.test(type) || !parts.has(path)) throw new SuspectFileError("wrong-type")
  return path
}

function contentType(xml: string, path: string): string {
  let byName = ""
  let byExtension = ""
  const scanner = xmlScanner({
    open(name, attributes) {
      const type = attributeOf(attributes, "ContentType") ?? ""
      if (name === "Override" && attributeOf(attributes, "PartName") === `/${path}`) byName = type
      if (name === "Default" && path.endsWith(`.${attributeOf(attributes, "Extension")}`)) byExtension = type
    },
    close() {},
    text() {},
  })
  scanner.push(xml.replace(/^\uFEFF/, ""))
  scanner.end()
  return byName || byExtension
}
