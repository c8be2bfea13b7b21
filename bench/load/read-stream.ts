/*
 * Requests and event stream of a browser, in a process of their own: reads the addresses on its input, one a line, and prints
 * the bytes when that ends. A new stream replaces the one before and resumes after its last event.
 */
import { createInterface } from "node:readline"

const [token = ""] = process.argv.slice(2)
let bytes = 0
let cursor = ""
let stream: AbortController | undefined

async function read(address: string, signal?: AbortSignal): Promise<void> {
  const reply = await fetch(address, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
    signal: signal ?? null,
  })
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`)
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length
    if (signal) cursor = /^id: (\S+)$/m.exec(Buffer.from(chunk).toString())?.[1] ?? cursor
  }
}

for await (const address of createInterface({ input: process.stdin })) {
  if (!address.includes("/events")) {
    await read(address)
    continue
  }
  stream?.abort()
  stream = new AbortController()
  const { signal } = stream
  const after = cursor === "" ? "" : `&after=${cursor}`
  void read(`${address}${after}`, signal).catch((error) => {
    if (!signal.aborted) throw error
  })
}
stream?.abort()
process.stdout.write(String(bytes))
