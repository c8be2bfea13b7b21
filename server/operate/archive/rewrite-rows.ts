import { Transform } from "node:stream"

/** What to do with a column's text in COPY format; `\N` is null. */
export type Rewrite = (value: string) => string

const lineBreak = 10

/**
 * Rewrites columns of COPY text on its way. Values are separated by tabs and never hold one themselves, so a row is
 * split without being parsed; bytes of other columns pass as they are.
 */
export function rewriteRows(rewrites: ReadonlyMap<number, Rewrite>): Transform {
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const block = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const end = block.lastIndexOf(lineBreak)
      if (end < 0) {
        rest = block
        return done()
      }
      rest = Buffer.from(block.subarray(end + 1))
      try {
        // latin1 keeps every byte, and the columns that are rewritten hold digits only.
        const lines = block.toString("latin1", 0, end).split("\n")
        done(null, Buffer.from(`${lines.map((line) => rewriteLine(line, rewrites)).join("\n")}\n`, "latin1"))
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      done(rest.length > 0 ? new Error("The last row is incomplete") : null)
    },
  })
}

function rewriteLine(line: string, rewrites: ReadonlyMap<number, Rewrite>): string {
  const values = line.split("\t")
  for (const [place, rewrite] of rewrites) {
    const value = values[place]
    if (value === undefined) throw new Error("A row has too few columns")
    if (value !== "\\N") values[place] = rewrite(value)
  }
  return values.join("\t")
}
