import type { FileHandle } from "node:fs/promises"
import { SuspectFileError } from "../suspect-file.ts"
import { type StringTable, stringTable } from "./string-table.ts"
import { decodeXmlText, xmlScanner } from "./xml-scan.ts"
import type { ZipEntry } from "./zip-directory.ts"
import { readZipPart } from "./zip-part.ts"

/** Reads the shared strings of a workbook. Formatting runs are joined, phonetic readings left out. */
export async function readSharedStrings(
  file: FileHandle,
  part: ZipEntry | undefined,
  maxCellLength: number,
): Promise<StringTable> {
  const table = stringTable()
  if (!part) return table
  let text = ""
  let inText = false
  let inPhonetic = false
  const scanner = xmlScanner({
    open(name) {
      if (name === "si") text = ""
      else if (name === "t") inText = !inPhonetic
      else if (name === "rPh") inPhonetic = true
    },
    close(name) {
      if (name === "si") table.add(decodeCellText(text))
      else if (name === "t") inText = false
      else if (name === "rPh") inPhonetic = false
    },
    text(raw) {
      if (!inText) return
      text += decodeXmlText(raw)
      if (text.length > maxCellLength * escapedLength) throw new SuspectFileError("cell-too-long")
    },
  })
  try {
    await scanPart(file, part, scanner)
  } catch (error) {
    table.close()
    throw error
  }
  table.seal()
  return table
}

/** `_x000D_` is seven characters for one: the length of a text is bounded before and after decoding. */
export const escapedLength = 7

/** Control characters stand as `_x000D_` in a workbook, because XML forbids them. */
export function decodeCellText(text: string): string {
  if (!text.includes("_x")) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Feeds a part of the archive to a scanner, to its end. */
async function scanPart(
  file: FileHandle,
  part: ZipEntry,
  scanner: ReturnType<typeof xmlScanner>,
): Promise<void> {
  for await (const piece of xmlPieces(file, part)) scanner.push(piece)
  scanner.end()
}

/** A part as pieces of text. XML in a workbook is UTF-8, or UTF-16 with a byte-order mark. */
export async function* xmlPieces(file: FileHandle, part: ZipEntry): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of readZipPart(file, part)) {
    decoder ??= new TextDecoder(xmlEncoding(chunk))
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function xmlEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le"
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8"
}
