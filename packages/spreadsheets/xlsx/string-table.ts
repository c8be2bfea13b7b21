import { appendFileSync, closeSync, openSync, readSync, unlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The texts that a workbook's cells point at by number. */
export interface StringTable {
  add(text: string): void
  /** The text of this number, or undefined when there is none. Call seal() before the first read. */
  get(index: number): string | undefined
  seal(): void
  close(): void
}

const blockSize = 16
// 16,384 texts: more would grow old in memory before they are dropped, and be collected late.
const decodedBlocks = 1024

/**
 * A string table whose memory does not grow with the workbook. Texts are kept encoded, in blocks of 16: about the first
 * `memoryBytes` in memory, outside the collected heap (texts cut from the XML would keep all of it alive), the
 * others in an unlinked temporary file. Workbooks number texts in the order of first use, so reading
 * rows from top to bottom mostly hits a block that is decoded already.
 */
export function stringTable(memoryBytes = 8 * 1024 * 1024): StringTable {
  const held: Buffer[] = []
  const places: number[] = []
  const decoded = new Map<number, string[]>()
  let open: string[] = []
  let heldBytes = 0
  let file: number | undefined
  let fileBytes = 0

  function closeBlock(): void {
    if (open.length === 0) return
    const bytes = Buffer.from(JSON.stringify(open))
    open = []
    if (file === undefined && heldBytes + bytes.length <= memoryBytes) {
      held.push(bytes)
      heldBytes += bytes.length
      return
    }
    file ??= openUnlinked()
    appendFileSync(file, bytes)
    places.push(fileBytes)
    fileBytes += bytes.length
  }

  function encodedBlock(block: number): Buffer | undefined {
    if (block < held.length) return held[block]
    const offset = places[block - held.length]
    if (file === undefined || offset === undefined) return undefined
    const bytes = Buffer.allocUnsafe((places[block - held.length + 1] ?? fileBytes) - offset)
    readSync(file, bytes, 0, bytes.length, offset)
    return bytes
  }

  function textsOf(block: number): string[] | undefined {
    const known = decoded.get(block)
    if (known) return known
    const bytes = encodedBlock(block)
    if (!bytes) return undefined
    const texts: string[] = JSON.parse(bytes.toString("utf8"))
    // Oldest out: reading is mostly sequential, so age says enough.
    if (decoded.size >= decodedBlocks) decoded.delete(decoded.keys().next().value ?? block)
    decoded.set(block, texts)
    return texts
  }

  return {
    add(text) {
      open.push(text)
      if (open.length === blockSize) closeBlock()
    },
    get(index) {
      return textsOf(Math.floor(index / blockSize))?.[index % blockSize]
    },
    seal: closeBlock,
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** A temporary file that disappears with the process, however it ends. */
function openUnlinked(): number {
  const path = join(tmpdir(), `strings-${crypto.randomUUID()}`)
  const file = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return file
}
