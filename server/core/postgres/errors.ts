import pg from "pg"

export type ConnectionProblem =
  | "CONNECTION_CLOSED"
  | "CONNECTION_DESTROYED"
  | "CONNECTION_ENDED"
  | "CONNECTION_SILENT"
  | "CONNECT_TIMEOUT"

/** The statement's fate is unknown, or it never left: there is no connection to the server. */
export class ConnectionError extends Error {
  readonly code: string
  constructor(code: ConnectionProblem | (string & {}), message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "ConnectionError"
    this.code = code
  }
}

/** An error of the library for a lost connection as ours; the server's own errors pass as they are. */
export function toConnectionError(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof ConnectionError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = (cause as { code?: unknown }).code
  if (typeof code === "string" && /^E[A-Z]+/.test(code))
    return new ConnectionError(code, `no connection to the database: ${cause.message}`, { cause })
  const problem = /timeout expired/.test(cause.message) ? "CONNECT_TIMEOUT" : "CONNECTION_CLOSED"
  return new ConnectionError(problem, `lost the connection to the database: ${cause.message}`, { cause })
}
