/** Each text once, numbered in order of appearance; 0 is the empty text. */
export interface TextPool {
  numberOf(text: string | undefined): number
  take(): { offsets: Uint32Array; bytes: Uint8Array }
}

/** Names are shown to people: what is longer is cut. */
const maxLength = 200

export function createTextPool(): TextPool {
  const numbersByText = new Map<string, number>([["", 0]])
  return {
    numberOf(text) {
      const key = (text ?? "").slice(0, maxLength).toWellFormed()
      const known = numbersByText.get(key)
      if (known !== undefined) return known
      numbersByText.set(key, numbersByText.size)
      return numbersByText.size - 1
    },
    take() {
      const encoded = [...numbersByText.keys()].map((text) => Buffer.from(text))
      const offsets = new Uint32Array(encoded.length + 1)
      for (const [index, text] of encoded.entries()) offsets[index + 1] = (offsets[index] ?? 0) + text.length
      return { offsets, bytes: new Uint8Array(Buffer.concat(encoded)) }
    },
  }
}
