import type { Writable } from "node:stream"
import { writeTo } from "#packages/spreadsheets/xlsx/zip-writer.ts"

/** Writes several documents that `drawReport` made as one, with a bookmark for each, and holds none of them. */
export interface ReportJoiner {
  add(pdf: Buffer, title: string): Promise<void>
  /** Writes the bookmarks and the table of objects. Does not end the stream. */
  finish(): Promise<void>
}

/** Objects that the joined document has of its own, before those of its parts. */
const [catalogId, pagesId, outlinesId] = [1, 2, 3]
const ownIds = 3

interface Part {
  pagesId: number
  firstPageId: number
  pages: number
  title: string
}

export function joinReports(out: Writable): ReportJoiner {
  /** Where each object begins, by its number. */
  const offsets: number[] = []
  const parts: Part[] = []
  let [written, lastId] = [0, ownIds]

  async function put(content: Buffer | string): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content
    written += bytes.length
    await writeTo(out, bytes)
  }
  async function putObject(id: number, content: Buffer | string): Promise<void> {
    offsets[id] = written
    await put(`${id} 0 obj\n`)
    await put(content)
  }

  return {
    async add(pdf, title) {
      if (parts.length === 0) await put(Buffer.from("%PDF-1.4\n%\xff\xff\xff\xff\n", "latin1"))
      const base = lastId
      const document = readDocument(pdf)
      for (const { id, head, rest } of document.objects) {
        const own = renumber(head, base)
        const isRoot = id === document.pagesId
        const moved = isRoot ? own.replace("/Type /Pages", `/Type /Pages\n/Parent ${pagesId} 0 R`) : own
        await putObject(id + base, Buffer.concat([Buffer.from(moved, "latin1"), rest]))
        lastId = Math.max(lastId, id + base)
      }
      const { pages, firstPageId } = document
      parts.push({ pagesId: document.pagesId + base, firstPageId: firstPageId + base, pages, title })
    },

    async finish() {
      const count = parts.reduce((sum, { pages }) => sum + pages, 0)
      const kids = parts.map((part) => `${part.pagesId} 0 R`).join(" ")
      await putObject(
        catalogId,
        `<<\n/Type /Catalog\n/Pages ${pagesId} 0 R\n/Outlines ${outlinesId} 0 R\n/PageMode /UseOutlines\n>>\nendobj\n`,
      )
      await putObject(pagesId, `<<\n/Type /Pages\n/Count ${count}\n/Kids [${kids}]\n>>\nendobj\n`)
      const first = lastId + 1
      const ends = parts.length > 0 ? `/First ${first} 0 R\n/Last ${lastId + parts.length} 0 R\n` : ""
      await putObject(outlinesId, `<<\n/Type /Outlines\n${ends}/Count ${parts.length}\n>>\nendobj\n`)
      for (const [place, { firstPageId, title }] of parts.entries()) {
        const before = place > 0 ? `/Prev ${first + place - 1} 0 R\n` : ""
        const after = place < parts.length - 1 ? `/Next ${first + place + 1} 0 R\n` : ""
        await putObject(
          first + place,
          `<<\n/Title <${utf16(title)}>\n/Parent ${outlinesId} 0 R\n${before}${after}/Dest [${firstPageId} 0 R /Fit]\n>>\nendobj\n`,
        )
      }
      const size = lastId + parts.length + 1
      const table = written
      const entries = Array.from({ length: size }, (_, id) => {
        const offset = offsets[id]
        return offset === undefined
          ? "0000000000 65535 f \n"
          : `${String(offset).padStart(10, "0")} 00000 n \n`
      })
      await put(
        `xref\n0 ${size}\n${entries.join("")}trailer\n<<\n/Size ${size}\n/Root ${catalogId} 0 R\n>>\nstartxref\n${table}\n%%EOF\n`,
      )
    },
  }
}

/** The objects of a document as pdfkit writes it: a table of offsets at its end, no compressed objects. */
function readDocument(pdf: Buffer) {
  const tail = pdf.subarray(-1024).toString("latin1")
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1])
  const end = pdf.subarray(table).toString("latin1")
  const size = Number(/^xref\n0 (\d+)\n/.exec(end)?.[1])
  if (!Number.isSafeInteger(table) || !Number.isSafeInteger(size)) throw new Error("not a drawn report")
  const entries = end.slice(end.indexOf("\n", 5) + 1)
  const starts = Array.from({ length: size }, (_, id) => ({
    id,
    start: Number(entries.slice(id * 20, id * 20 + 10)),
  }))
    .slice(1)
    .toSorted((one, other) => one.start - other.start)
  const objects = starts.map(({ id, start }, place) => {
    const bytes = pdf.subarray(start, starts[place + 1]?.start ?? table)
    const content = bytes.subarray(bytes.indexOf("\n") + 1)
    const stream = content.indexOf("\nstream\n")
    const cut = stream === -1 ? content.length : stream
    return { id, head: content.subarray(0, cut).toString("latin1"), rest: content.subarray(cut) }
  })
  const root = Number(/\/Root (\d+) 0 R/.exec(end)?.[1])
  const headOf = (wanted: number) => objects.find(({ id }) => id === wanted)?.head ?? ""
  const rootPages = Number(/\/Pages (\d+) 0 R/.exec(headOf(root))?.[1])
  const kids = headOf(rootPages)
  return {
    objects,
    pagesId: rootPages,
    pages: Number(/\/Count (\d+)/.exec(kids)?.[1]),
    firstPageId: Number(/\/Kids \[(\d+) 0 R/.exec(kids)?.[1]),
  }
}

/** Moves the numbers of references; a text in parentheses may contain what looks like one. */
function renumber(head: string, base: number): string {
  const parts: string[] = []
  for (let at = 0; at < head.length; ) {
    const text = head.indexOf("(", at)
    const start = text === -1 ? head.length : text
    parts.push(head.slice(at, start).replace(/\b(\d{1,10}) 0 R\b/g, (_, id) => `${Number(id) + base} 0 R`))
    at = endOfText(head, start)
    parts.push(head.slice(start, at))
  }
  return parts.join("")
}

function endOfText(head: string, start: number): number {
  let at = start + 1
  while (at < head.length && head[at] !== ")") at += head[at] === "\\" ? 2 : 1
  return Math.min(at + 1, head.length)
}

const utf16 = (text: string) => `FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}`
