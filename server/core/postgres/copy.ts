import { Readable, Writable } from "node:stream"
import { ConnectionError, toConnectionError } from "./errors.ts"
import { type Wire, WireQuery } from "./statement.ts"

/**
 * COPY as streams. Made from `pg.Query` like every other statement here: pg-copy-streams takes the socket's listeners
 * away from pg, cannot share a pipelined connection, and waits without end when its reader leaves.
 */

/** A server that moves nothing for so long counts as gone. A large load ends with its checks, which take a while. */
export const copyPatience = { milliseconds: 15 * 60_000 }

const blockBytes = 65_536

abstract class Copy extends WireQuery {
  onSettled: (statement: object) => void = () => undefined
  readonly #text: string
  readonly #giveUp: (reason: ConnectionError) => void
  #isSettled = false
  #watch: NodeJS.Timeout | undefined
  #movedAt = 0
  protected wire: Wire | undefined

  constructor(text: string, giveUp: (reason: ConnectionError) => void) {
    super({ text })
    this.#text = text
    this.#giveUp = giveUp
  }

  /** Whether the next move is the server's. */
  protected abstract isServersTurn(): boolean
  protected abstract ended(error: Error | undefined): void

  submit(wire: Wire): void {
    this.wire = wire
    this.moved()
    const { milliseconds } = copyPatience
    this.#watch = setInterval(
      () => {
        if (!this.isServersTurn()) return this.moved()
        if (performance.now() - this.#movedAt < milliseconds) return
        this.abort(`the database has made no progress for ${Math.round(milliseconds / 1000)} s`)
      },
      Math.min(5_000, milliseconds / 4),
    )
    wire.query(this.#text)
  }

  protected moved(): void {
    this.#movedAt = performance.now()
  }

  /** The only way out of a COPY whose other end does not move: its connection ends, and with it the transaction. */
  protected abort(reason: string): void {
    if (!this.#isSettled) this.#giveUp(new ConnectionError("CONNECTION_SILENT", reason))
  }

  protected get isSettled(): boolean {
    return this.#isSettled
  }

  #settle(error: Error | undefined): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearInterval(this.#watch)
    this.ended(error)
    this.onSettled(this)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail("this COPY only reads")
  }
  handleCopyData(_message: { chunk: Buffer }): void {}
  handleError(error: unknown): void {
    this.#settle(toConnectionError(error))
  }
  handleReadyForQuery(): void {
    this.#settle(undefined)
  }
}

/** `copy … to stdout` */
export class CopyOut extends Copy {
  readonly stream: Readable
  #block = Buffer.allocUnsafe(blockBytes)
  #filled = 0
  #isPaused = false

  constructor(text: string, giveUp: (reason: ConnectionError) => void) {
    super(text, giveUp)
    this.stream = new Readable({
      highWaterMark: 4 * blockBytes,
      read: () => this.#resume(),
      destroy: (error, done) => {
        if (!this.isSettled) this.abort(error ? error.message : "the reader of a copy left")
        this.#resume()
        done(error)
      },
    })
  }

  protected isServersTurn(): boolean {
    return !this.#isPaused
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.moved()
    this.wire?.stream.resume()
  }

  /** One message a row: they are gathered, and copied, as pg uses its buffers again. */
  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.moved()
    for (let from = 0; from < chunk.length; ) {
      const bytes = chunk.copy(this.#block, this.#filled, from)
      this.#filled += bytes
      from += bytes
      if (this.#filled === blockBytes) this.#flush()
    }
  }

  #flush(): void {
    const full = this.#block.subarray(0, this.#filled)
    this.#block = Buffer.allocUnsafe(blockBytes)
    this.#filled = 0
    if (this.stream.destroyed || this.stream.push(full) || this.#isPaused) return
    this.#isPaused = true
    this.wire?.stream.pause()
  }

  protected ended(error: Error | undefined): void {
    if (error) {
      this.stream.destroy(error)
    } else {
      if (this.#filled > 0) this.#flush()
      this.stream.push(null)
    }
    this.#resume()
  }
}

/** `copy … from stdin` */
export class CopyIn extends Copy {
  readonly stream: Writable
  #isReady = false
  #isSent = false
  /** What the stream waits for: that the server asks for data, that it takes it, or that it has stored all of it. */
  #next: ((error?: Error) => void) | undefined
  #unsent: Buffer | undefined

  constructor(text: string, giveUp: (reason: ConnectionError) => void) {
    super(text, giveUp)
    this.stream = new Writable({
      highWaterMark: 4 * blockBytes,
      write: (chunk: Buffer, _encoding, done) => {
        this.#next = done
        if (this.#isReady) this.#send(chunk)
        else this.#unsent = chunk
      },
      final: (done) => {
        this.#next = done
        this.#isSent = true
        if (this.#isReady) this.#finish()
      },
      destroy: (error, done) => {
        if (!this.isSettled && !(this.#isSent && this.#isReady)) this.#refuse(error)
        done(error)
      },
    })
  }

  protected isServersTurn(): boolean {
    return this.#next !== undefined
  }

  #proceed(error?: Error): void {
    const next = this.#next
    this.#next = undefined
    this.moved()
    next?.(error)
  }

  #send(chunk: Buffer): void {
    const { wire } = this
    if (!wire) return
    wire.sendCopyFromChunk(chunk)
    if (wire.stream.writableNeedDrain) wire.stream.once("drain", () => this.#proceed())
    else this.#proceed()
  }

  #finish(): void {
    this.wire?.endCopyFrom()
  }

  /** The sender failed: the server discards the received data and reports an error. */
  #refuse(error: Error | null): void {
    this.#next = undefined
    this.#isSent = true
    if (this.#isReady) this.wire?.sendCopyFail(error?.message ?? "the sender left")
  }

  override handleCopyInResponse(wire: Wire): void {
    this.#isReady = true
    this.moved()
    if (this.stream.destroyed) {
      wire.sendCopyFail("the sender left")
      return
    }
    const chunk = this.#unsent
    this.#unsent = undefined
    if (chunk) this.#send(chunk)
    else if (this.#isSent) this.#finish()
  }

  protected ended(error: Error | undefined): void {
    // A stream that failed has reported its reason already; the server's copy of it is ignored.
    if (this.#next) this.#proceed(error)
    else if (error && !this.stream.destroyed) this.stream.destroy(error)
  }
}
