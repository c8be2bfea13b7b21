import { registerHooks } from "node:module"

/**
 * postgres.js 3.4.9 loses queries, and once the process, around connections that fail:
 * - It sends small writes in a later turn of the event loop. When the connection closes in between, it drops the turn
 *   but believes for ever that one is due (github.com/porsager/postgres, issues 1154 and 1208).
 * - It remembers the query that a lost connection was working on: a server that refuses the next connection, because
 *   it is starting or full, is then believed to answer that query, and the new one waits.
 * - A server that takes a connection and closes it without a word is tried again without end or pause.
 * - A connection lost while the types of arrays are read is a rejection that nobody handles, which ends the process.
 * Whatever such a query was waits without end. Until a version without these faults is published, the source is
 * repaired while it is loaded.
 */
const repairs: readonly (readonly [find: string, put: string])[] = [
  [
    "clearImmediate(nextWriteTimer)\n    if (socket) {",
    "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {",
  ],
  [
    "clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
    "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)",
  ],
  [
    "    if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length) && error(",
    "    if (initial && options.host.length > 1)\n      return reconnect()\n\n    ;(query || initial || sent.length) && error(",
  ],
  [
    "return fetchArrayTypes()",
    "return fetchArrayTypes().catch((failure) => { needsTypes = true; error(failure) })",
  ],
  [
    "    closedTime = performance.now()\n    hadError &&",
    "    query = results = errorResponse = null\n    closedTime = performance.now()\n    hadError &&",
  ],
  [
    "function nextWrite(fn) {\n",
    `function nextWrite(fn) {
    if (!socket) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
`,
  ],
]

/** Throws when the driver's source is not the one that the repairs were written for: look at them again then. */
function repaired(source: string): string {
  return repairs.reduce((text, [find, put]) => {
    if (text.split(find).length !== 2)
      throw new Error("postgres.js is not the version that core/postgres-driver.ts repairs")
    return text.replace(find, () => put)
  }, source)
}

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith("/postgres/src/connection.js")) return loaded
    return { ...loaded, source: repaired(Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})
export const { default: postgres } = await import("postgres")
hooks.deregister()
