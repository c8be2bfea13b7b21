import pg from "pg"
import { gather, type PreparedStatement, type Wire, WireQuery } from "./statement.ts"

/**
 * Statements of a transaction that leave within one turn of the event loop. One Sync ends them all, so the server responds
 * once: each further response costs both sides a system call. After an error the server skips the others up to the Sync;
 * the failed transaction would refuse them anyway.
 */
export class Batch extends WireQuery {
  readonly #wire: Wire
  readonly #waiting: PreparedStatement[] = []
  #isOpen = true

  constructor(wire: Wire) {
    super({ text: "" })
    this.#wire = wire
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  submit(): void {
    gather(this.#wire, () => this.close())
  }

  add(statement: PreparedStatement): void {
    this.#waiting.push(statement)
    statement.submit(this.#wire)
  }

  /** What is sent from here on is not part of it. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#wire.sync()
  }

  handleRowDescription(message: Parameters<PreparedStatement["handleRowDescription"]>[0]): void {
    this.#waiting[0]?.handleRowDescription(message)
  }

  handleDataRow(message: Parameters<PreparedStatement["handleDataRow"]>[0]): void {
    this.#waiting[0]?.handleDataRow(message)
  }

  handleCommandComplete(message: { text: string }, wire: Wire): void {
    const statement = this.#waiting.shift()
    statement?.handleCommandComplete(message, wire)
    statement?.handleReadyForQuery(wire)
  }

  handleEmptyQuery(wire: Wire): void {
    this.#waiting.shift()?.handleReadyForQuery(wire)
  }

  handlePortalSuspended(): void {}
  handleCopyInResponse(wire: Wire): void {
    this.#waiting[0]?.handleCopyInResponse(wire)
  }
  handleCopyData(): void {}

  handleError(error: unknown, wire: Wire): void {
    const isRefusal = error instanceof pg.DatabaseError
    for (const [place, statement] of this.#waiting.splice(0).entries())
      statement.handleError(isRefusal && place > 0 ? aborted() : error, wire)
  }

  handleReadyForQuery(): void {}
}

/** What the server says to a statement of a failed transaction. */
function aborted(): pg.DatabaseError {
  const message = "current transaction is aborted, commands ignored until end of transaction block"
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { severity: "ERROR", code: "25P02" })
}
