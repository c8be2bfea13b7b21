import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs"
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

const blockSize = 64
const cachedBlocks = 512

/**
 * A string table whose memory does not grow with the workbook: about the first `memoryCharacters` stay in memory,
 * later blocks of 64 texts go to an unlinked temporary file. Workbooks number texts in the order of first use,
 * so reading rows from top to bottom mostly hits the block that is already decoded.
 */
export function stringTable(memoryCharacters = 8 * 1024 * 1024): StringTable {
  const blocks: (string[] | undefined)[] = []
  const places: number[] = []
  const cache = new Map<number, string[]>()
  let open: string[] = []
  let heldCharacters = 0
  let file: number | undefined
  let fileBytes = 0

  function closeBlock(): void {
    if (open.length === 0) return
    if (heldCharacters <= memoryCharacters) {
      blocks.push(open)
    } else {
      file ??= openUnlinked()
      const bytes = Buffer.from(JSON.stringify(open))
      writeSync(file, bytes, 0, bytes.length, fileBytes)
      places[blocks.length * 2] = fileBytes
      places[blocks.length * 2 + 1] = bytes.length
      fileBytes += bytes.length
      blocks.push(undefined)
    }
    open = []
  }

  function spilled(block: number): string[] | undefined {
    const known = cache.get(block)
    if (known) return known
    const offset = places[block * 2]
    const length = places[block * 2 + 1]
    if (file === undefined || offset === undefined || length === undefined) return undefined
    const bytes = Buffer.allocUnsafe(length)
    readSync(file, bytes, 0, length, offset)
    const texts: string[] = JSON.parse(bytes.toString("utf8"))
    // Oldest out: reading is mostly sequential, so age says enough.
    if (cache.size >= cachedBlocks) cache.delete(cache.keys().next().value ?? block)
    cache.set(block, texts)
    return texts
  }

  return {
    add(text) {
      open.push(text)
      // What a string costs beside its characters.
      heldCharacters += text.length + 16
      if (open.length === blockSize) closeBlock()
    },
    get(index) {
      const block = Math.floor(index / blockSize)
      return (blocks[block] ?? spilled(block))?.[index % blockSize]
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
