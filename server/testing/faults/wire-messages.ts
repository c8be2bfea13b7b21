/** Puts messages of PostgreSQL's protocol together from pieces: a type byte, a length, a body. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Buffer[] {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const frames: Buffer[] = []
    while (this.#rest.length >= 5) {
      const size = 1 + this.#rest.readInt32BE(1)
      if (this.#rest.length < size) break
      frames.push(this.#rest.subarray(0, size))
      this.#rest = this.#rest.subarray(size)
    }
    return frames
  }
}

const sslRequest = 80877103
const gssRequest = 80877104

/** The first packet of a connection has no type byte; one may ask for encryption, which is refused. */
export function splitStartup(
  bytes: Buffer,
): { packet: Buffer; rest: Buffer; isRefusedEncryption: boolean } | undefined {
  if (bytes.length < 8) return undefined
  const size = bytes.readInt32BE(0)
  if (bytes.length < size) return undefined
  return {
    packet: bytes.subarray(0, size),
    rest: bytes.subarray(size),
    isRefusedEncryption: [sslRequest, gssRequest].includes(bytes.readInt32BE(4)),
  }
}

/** Follows which prepared statement has which text, and which of them is about to run. */
export class StatementNames {
  #texts = new Map<string, string>()
  #next: string | undefined

  note(type: string, frame: Buffer): void {
    const body = frame.subarray(5)
    if (type === "Q") this.#next = readText(body, 0).text
    if (type === "P") {
      const { text: name, end } = readText(body, 0)
      const { text } = readText(body, end)
      this.#texts.set(name, text)
      this.#next = text
    }
    if (type === "B") {
      const { end } = readText(body, 0)
      this.#next = this.#texts.get(readText(body, end).text) ?? this.#next
    }
  }

  /** The statement that a Sync or a simple query ends; undefined when there was none. */
  takeText(): string | undefined {
    const text = this.#next?.trim().replace(/\s+/g, " ")
    this.#next = undefined
    return text
  }
}

function readText(body: Buffer, start: number): { text: string; end: number } {
  const end = body.indexOf(0, start)
  return { text: body.toString("utf8", start, end), end: end + 1 }
}

const failures = {
  error: "do $$ begin raise exception 'out of memory' using errcode = '53200'; end $$",
  timeout:
    "do $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$",
}

/**
 * Messages with which PostgreSQL itself fails the statement. A statement that is parsed under a name stays so, for the
 * client may run it by that name later.
 */
export function failingMessages(unit: readonly Buffer[], kind: keyof typeof failures): Buffer[] {
  const failure = failures[kind]
  if (unit.at(-1)?.[0] === "Q".charCodeAt(0)) return [message("Q", `${failure}\0`)]
  return [
    ...unit.filter((frame) => frame[0] === "P".charCodeAt(0)),
    message("P", `\0${failure}\0`, 0, 0),
    message("B", "\0\0", 0, 0, 0, 0, 0, 0),
    message("E", "\0", 0, 0, 0, 0),
    message("S", ""),
  ]
}

function message(type: string, text: string, ...bytes: number[]): Buffer {
  const body = Buffer.concat([Buffer.from(text), Buffer.from(bytes)])
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
