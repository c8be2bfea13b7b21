import { ExtractError } from "./extract-error.ts"
import type { MessageReader } from "./message-reader.ts"

/** The texts of a block. Each is decoded when it is first used: most blocks contain more than a reader asks for. */
export class StringTable {
  readonly #bytes: readonly Uint8Array[]
  readonly #texts: (string | undefined)[]

  constructor(bytes: readonly Uint8Array[]) {
    this.#bytes = bytes
    this.#texts = new Array(bytes.length)
  }

  text(index: number): string {
    const known = this.#texts[index]
    if (known !== undefined) return known
    const bytes = this.#bytes[index]
    if (!bytes) throw new ExtractError("damaged", "a tag refers to a text that does not exist")
    const text = utf8.decode(bytes)
    this.#texts[index] = text
    return text
  }
}

const utf8 = new TextDecoder()
const maxTexts = 4_000_000

export function readStringTable(reader: MessageReader, end: number, maxStringBytes: number): StringTable {
  const texts: Uint8Array[] = []
  for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) {
    if (field !== 1) continue
    const bytes = reader.readBytesWithin(end)
    if (bytes.length > maxStringBytes)
      throw new ExtractError(
        "damaged",
        `a text has ${bytes.length} bytes, at most ${maxStringBytes} are allowed`,
      )
    if (texts.push(bytes) > maxTexts) throw new ExtractError("damaged", "a block has too many texts")
  }
  reader.checkEnd(end)
  return new StringTable(texts)
}
