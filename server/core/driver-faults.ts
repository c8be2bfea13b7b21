/**
 * postgres.js 3.4 writes to a connection in a later turn of the event loop than it queues a query. When the
 * server closes that connection in between, the write finds no socket and throws where nobody can catch it.
 * The query itself is refused by the same closing, so the process is sound and goes on.
 */
export function isHarmlessDriverFault(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  return (
    /reading 'write'/.test(error.message) && /postgres[\\/]src[\\/]connection\.js/.test(error.stack ?? "")
  )
}
