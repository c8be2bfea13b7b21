/** Rows of a small .xlsx, so that a spreadsheet of vehicles need not be saved as text first. */

export class WorkbookError extends Error {}

/** A list of vehicles has some kilobytes; what unpacks to more is no such list. */
const maxBytes = 20 * 1024 * 1024

/**
 * The first visible sheet as rows with tabs between cells, as they are pasted out of a spreadsheet.
 * Times and dates come as the numbers that cells hold: days, so 0.5 is noon.
 * @throws WorkbookError when it is no .xlsx, is encrypted or too large
 */
export async function readWorkbook(file: Blob): Promise<string> {
  const part = await openZip(file)
  const workbook = await part("xl/workbook.xml")
  const relations = await part("xl/_rels/workbook.xml.rels")
  if (workbook === undefined || relations === undefined) throw new WorkbookError()
  const sheets = tags(workbook, "sheet").map(({ head }) => head)
  const sheet = sheets.find((head) => !/\bstate="(very)?hidden"/i.test(head))
  const relation = tags(relations, "Relationship").find(
    ({ head }) => attribute(head, "Id") === attribute(sheet ?? "", "r:id"),
  )
  const target = attribute(relation?.head ?? "", "Target") ?? ""
  const rows = await part(target.startsWith("/") ? target.slice(1) : `xl/${target}`)
  if (rows === undefined) throw new WorkbookError()
  const strings = tags((await part("xl/sharedStrings.xml")) ?? "", "si").map(({ body }) => textOf(body))
  return tags(rows, "row")
    .map(({ body }) => rowText(body, strings))
    .filter((row) => row.trim() !== "")
    .join("\n")
}

function rowText(body: string, strings: readonly string[]): string {
  const cells: string[] = []
  for (const { head, body: content } of tags(body, "c")) {
    const column = columnOf(attribute(head, "r") ?? "") ?? cells.length
    if (column > 500) continue
    while (cells.length < column) cells.push("")
    cells[column] = quoted(cellText(attribute(head, "t"), content, strings))
  }
  return cells.join("\t")
}

function cellText(type: string | undefined, content: string, strings: readonly string[]): string {
  if (type === "inlineStr") return textOf(content)
  const value = decode(tags(content, "v")[0]?.body ?? "")
  return type === "s" ? (strings[Number(value)] ?? "") : value
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** 0 for A1; undefined where a cell names no place. */
function columnOf(address: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The runs of a text; phonetic ones are no part of it. */
function textOf(body: string): string {
  const spoken = body.replaceAll(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, "")
  return tags(spoken, "t")
    .map(({ body: run }) => decode(run))
    .join("")
}

/** Elements of that name, which do not lie in each other, with their attributes and what is between. */
function tags(xml: string, name: string): { head: string; body: string }[] {
  const pattern = new RegExp(
    `<(?:\\w+:)?${name}((?:\\s[^>]*?)?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}>)`,
    "g",
  )
  return [...xml.matchAll(pattern)].map(([, head = "", body = ""]) => ({ head, body }))
}

function attribute(head: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1]
  return value === undefined ? undefined : decode(value)
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

function decode(xml: string): string {
  return xml.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
    (_, hex, digits, name) => {
      if (name) return named[String(name).toLowerCase()] ?? ""
      const code = hex ? Number.parseInt(hex, 16) : Number(digits)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ""
    },
  )
}

/** Parts of a zip by their names, unpacked on demand. */
async function openZip(file: Blob): Promise<(name: string) => Promise<string | undefined>> {
  if (file.size > maxBytes) throw new WorkbookError()
  const bytes = new Uint8Array(await file.arrayBuffer())
  const view = new DataView(bytes.buffer)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) throw new WorkbookError()
  const places = new Map<string, { at: number; size: number; method: number }>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw new WorkbookError()
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    places.set(name, {
      at: view.getUint32(at + 42, true),
      size: view.getUint32(at + 20, true),
      method: view.getUint16(at + 10, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return async (name) => {
    const place = places.get(name)
    if (place === undefined) return undefined
    if (place.at + 30 > bytes.length) throw new WorkbookError()
    const from = place.at + 30 + view.getUint16(place.at + 26, true) + view.getUint16(place.at + 28, true)
    const packed = bytes.slice(from, from + place.size)
    return new TextDecoder().decode(place.method === 0 ? packed : await inflate(packed))
  }
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of new Blob([packed])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))) {
      size += piece.length
      if (size > maxBytes) throw new WorkbookError()
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof WorkbookError ? error : new WorkbookError("", { cause: error })
  }
  const whole = new Uint8Array(size)
  let filled = 0
  for (const piece of pieces) {
    whole.set(piece, filled)
    filled += piece.length
  }
  return whole
}
