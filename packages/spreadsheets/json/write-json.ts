import type { Writable } from "node:stream"
import { writeTo, zipWriter } from "../xlsx/zip-writer.ts"

const pieceCharacters = 64 * 1024

export type JsonItems = Iterable<unknown> | AsyncIterable<unknown>

/**
 * Writes a JSON array item by item, waiting for the stream. `before` and `after` go around it, so that the array
 * can be a member of an object (`{"type":"FeatureCollection","features":` and `}`). Returns the number of items.
 */
export async function writeJsonArray(
  out: Writable,
  items: JsonItems,
  { before = "", after = "" }: { readonly before?: string; readonly after?: string } = {},
): Promise<number> {
  let count = 0
  const counted = (async function* () {
    for await (const item of items) {
      count++
      yield item
    }
  })()
  await writeTo(out, before)
  for await (const piece of jsonPieces(counted)) await writeTo(out, piece)
  await writeTo(out, after)
  return count
}

/** Writes an object a line (JSON Lines), waiting for the stream. */
export async function writeJsonLines(out: Writable, items: JsonItems): Promise<void> {
  let piece = ""
  for await (const item of items) {
    piece += `${JSON.stringify(item) ?? "null"}\n`
    if (piece.length > pieceCharacters) {
      await writeTo(out, piece)
      piece = ""
    }
  }
  await writeTo(out, piece)
}

/**
 * Writes a zip archive of `<baseName>_1.json`, `<baseName>_2.json`…, each an array of at most `itemsPerFile` items.
 * Without any item there is one empty array. Returns the number of items. Does not end the stream.
 */
export async function writeJsonZip(
  out: Writable,
  {
    baseName,
    items,
    itemsPerFile,
  }: { readonly baseName: string; readonly items: JsonItems; readonly itemsPerFile: number },
): Promise<number> {
  const source = iterate(items)
  const zip = zipWriter(out)
  let count = 0
  let next = await source.next()
  async function* oneFile(): AsyncGenerator<unknown> {
    for (let taken = 0; taken < itemsPerFile && !next.done; taken++) {
      count++
      yield next.value
      next = await source.next()
    }
  }
  try {
    let file = 1
    do await zip.part(`${baseName}_${file++}.json`, jsonPieces(oneFile()))
    while (!next.done)
    await zip.finish()
    return count
  } finally {
    await source.return?.(undefined)
  }
}

async function* iterate(items: JsonItems): AsyncGenerator<unknown> {
  yield* items
}

async function* jsonPieces(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let piece = "["
  let isFirst = true
  for await (const item of items) {
    piece += `${isFirst ? "\n" : ",\n"}${JSON.stringify(item) ?? "null"}`
    isFirst = false
    if (piece.length > pieceCharacters) {
      yield piece
      piece = ""
    }
  }
  yield `${piece}\n]`
}
