import { Agent, get } from "node:http"
import { setTimeout as pause } from "node:timers/promises"

/** Pages that are open at the same time: each has a connection of its own, on which it asks for its facts again and again. */
export interface PagesOrder {
  address: string
  pages: readonly { path: string; everySeconds: number }[]
  /** Within which they are opened. */
  openSeconds: number
  /** Measured after all are open. */
  seconds: number
}

export type PagesReport =
  | { kind: "open" }
  | {
      kind: "end"
      requests: number
      notModified: number
      failed: number
      p50Milliseconds: number
      p99Milliseconds: number
    }

const send = (report: PagesReport) => process.send?.(report)
const times: number[] = []
let [isMeasured, notModified, failed] = [false, 0, 0]

process.once("message", (order: PagesOrder) => void run(order))

async function run({ address, pages, openSeconds, seconds }: PagesOrder): Promise<void> {
  const end = Date.now() + (openSeconds + seconds) * 1000
  const all = pages.map(({ path, everySeconds }, place) =>
    keepOpen(`${address}${path}`, { everySeconds, delay: (place / pages.length) * openSeconds, end }),
  )
  await pause(openSeconds * 1000)
  isMeasured = true
  send({ kind: "open" })
  await Promise.all(all)
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  send({
    kind: "end",
    requests: times.length,
    ...{ notModified, failed },
    ...{ p50Milliseconds: at(0.5), p99Milliseconds: at(0.99) },
  })
  process.disconnect?.()
}

async function keepOpen(
  url: string,
  { everySeconds, delay, end }: { everySeconds: number; delay: number; end: number },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await pause(delay * 1000)
  for (let tag: string | undefined; Date.now() < end; ) {
    const started = performance.now()
    const { status, etag } = await load(url, agent, tag)
    tag = etag ?? tag
    if (isMeasured) {
      times.push(performance.now() - started)
      if (status === 304) notModified += 1
      else if (status !== 200) failed += 1
    }
    await pause(Math.max(0, Math.min(everySeconds * 1000, end - Date.now())))
  }
  agent.destroy()
}

function load(url: string, agent: Agent, tag: string | undefined) {
  return new Promise<{ status: number; etag: string | undefined }>((resolve) => {
    get(url, { agent, headers: tag ? { "if-none-match": tag } : {} }, (reply) => {
      reply.resume().on("end", () => resolve({ status: reply.statusCode ?? 0, etag: reply.headers.etag }))
    }).on("error", () => resolve({ status: 0, etag: undefined }))
  })
}
