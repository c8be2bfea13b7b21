import { DumpError } from "./dump-error.ts"

/** `word` is an unquoted name, keyword or number, `name` a quoted identifier, `mark` one other character. */
export interface Token {
  kind: "word" | "name" | "string" | "mark"
  /** Strings are decoded; words are as written. */
  text: string
}

/** What is waited for when a piece of the text ends inside something that is passed over. */
type Skipping = { until: string; escapes: boolean }

const maxTokenCharacters = 2 * 1024 * 1024
const word = /[\p{L}\p{N}_.&$+-]+/uy
const blank = /\s+/y

export interface Lexing {
  /** MySQL: a backslash escapes in every string. Elsewhere only in `E'…'`. */
  isMySql: boolean
}

/**
 * Cuts SQL text into tokens, piece by piece. `isSkipped` says whether nothing of the current statement is needed: its
 * strings may then have any length. `onToken` returns true to stop before the rest of the piece, as before the lines of a COPY.
 */
export function createTokens(lexing: Lexing, isSkipped: () => boolean, onToken: (token: Token) => boolean) {
  let text = ""
  let at = 0
  let skipping: Skipping | undefined

  /** The end of a quoted part that starts before `from`; -1 if it is not there yet. */
  function endOf(from: number, { until, escapes }: Skipping): number {
    for (let place = from; ; ) {
      const end = text.indexOf(until, place)
      if (!escapes) return end
      const slash = text.indexOf("\\", place)
      if (slash === -1 || (end !== -1 && end < slash)) return end
      place = slash + 2
      if (place > text.length) return -1
    }
  }

  /** Reads a quoted part from `at`, which is behind its first quote; undefined if its end is not there yet. */
  function quoted(quote: string, escapes: boolean): string | undefined {
    const what = { until: quote, escapes }
    for (let from = at; ; ) {
      const end = endOf(from, what)
      // A quote at the very end may be the first of two.
      if (end === -1 || (end + 1 === text.length && !isLast)) return undefined
      if (text[end + 1] === quote) {
        from = end + 2
        continue
      }
      const raw = text.slice(at, end)
      at = end + 1
      const plain = raw.includes(quote + quote) ? raw.replaceAll(quote + quote, quote) : raw
      return escapes && plain.includes("\\") ? unescaped(plain) : plain
    }
  }

  let isLast = false

  function step(): "token" | "stop" | "wait" {
    blank.lastIndex = at
    if (blank.test(text)) at = blank.lastIndex
    const char = text[at]
    if (char === undefined) return "wait"
    const two = text.slice(at, at + 2)
    if (two.length < 2 && !isLast && "-/".includes(char)) return "wait"
    // A backslash begins a command of psql.
    if (two === "--" || char === "\\" || (char === "#" && lexing.isMySql))
      return skip({ until: "\n", escapes: false }, 1)
    if (two === "/*") return skip({ until: "*/", escapes: false }, 2)
    if (char === "'" || char === '"' || char === "`") {
      const start = at
      at++
      if (char === "`") lexing.isMySql = true
      const isString = char === "'" || (char === '"' && lexing.isMySql)
      const escapes = isString && (lexing.isMySql || isEscaped)
      const content = quoted(char, escapes)
      if (content === undefined) {
        at = start
        if (isSkipped()) {
          // A doubled quote that is cut in two reads as an end and a new beginning, which comes to the same.
          at = start + 1
          return skip({ until: char, escapes }, 1)
        }
        return "wait"
      }
      return give({ kind: isString ? "string" : "name", text: content })
    }
    if (char === "$") {
      const tag = /^\$\w{0,60}\$/.exec(text.slice(at, at + 64))?.[0]
      if (tag) {
        at += tag.length
        return skip({ until: tag, escapes: false }, tag.length)
      }
    }
    word.lastIndex = at
    if (word.test(text)) {
      if (word.lastIndex === text.length && !isLast) return "wait"
      const found = text.slice(at, word.lastIndex)
      at = word.lastIndex
      return give({ kind: "word", text: found })
    }
    at++
    return give({ kind: "mark", text: char })
  }

  let isEscaped = false

  function give(token: Token): "token" | "stop" {
    isEscaped = token.kind === "word" && /^e$/i.test(token.text)
    return onToken(token) ? "stop" : "token"
  }

  /** Passes over text up to the end of something, now or with the next pieces. */
  function skip(what: Skipping, length: number): "token" {
    const end = endOf(at, what)
    if (end === -1) {
      skipping = what
      // Enough of the end is kept to find an end, or an escape, that is cut in two.
      at = Math.max(at, text.length - Math.max(length - 1, what.escapes ? trailingSlashes(text) : 0))
    } else at = end + length
    return "token"
  }

  return {
    /** Takes the next piece. Returns what is left of it when `onToken` asked to stop. */
    push(piece: string, last = false): string | undefined {
      text = at === text.length ? piece : text.slice(at) + piece
      at = 0
      isLast = last
      for (;;) {
        if (skipping) {
          const what = skipping
          skipping = undefined
          skip(what, what.until.length)
          if (skipping) return undefined
          continue
        }
        const before = at
        const done = step()
        if (done === "wait") {
          if (text.length - before > maxTokenCharacters)
            throw new DumpError("a value is longer than 2 MB, or a quote is missing")
          return undefined
        }
        if (done === "stop") {
          const rest = text.slice(at)
          text = ""
          at = 0
          return rest
        }
      }
    },
    /** Whether the text ended inside a quoted part or a comment. */
    isOpen(): boolean {
      return (skipping !== undefined && skipping.until !== "\n") || text.slice(at).trim() !== ""
    },
  }
}

function trailingSlashes(text: string): number {
  let count = 0
  while (text[text.length - 1 - count] === "\\") count++
  return count % 2
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", Z: "\u001a" },
  "0": "",
}

/** `\n`, `\'` and others, as MySQL, COPY and `E'…'` write them. */
export function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char)
}
