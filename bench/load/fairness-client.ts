/*
 * Calls of one organization, from a process of its own, whose work is not the server's. Its parent sends what to
 * send: the calls of each group one after the other, until the time is up. Reports how long each call took.
 */
import { constants, setPriority } from "node:os"
import { setTimeout as pause } from "node:timers/promises"

export interface Call {
  name: string
  method: string
  path: string
  /** Sent as JSON; `{n}` in it is a number that counts up. */
  body?: string
  /** A CSV that is uploaded instead, with further fields of the form. */
  upload?: { csv: string; fields: Record<string, string> }
}

export interface ClientOrder {
  address: string
  token: string
  seconds: number
  /** Each group is a client that makes its calls one after the other. */
  groups: Call[][]
  /** Behind everything else on the machine, as if it were another machine. */
  isBehind?: boolean
  /** Between two calls of a group. */
  pauseMilliseconds: number
}

export interface ClientReport {
  milliseconds: Record<string, number[]>
  /** Calls by name and status, of those that were not 2xx. */
  refused: Record<string, number>
}

let counter = 0

async function run(order: ClientOrder): Promise<ClientReport> {
  const { address, token, seconds, groups, pauseMilliseconds } = order
  if (order.isBehind) setPriority(constants.priority.PRIORITY_LOW)
  const report: ClientReport = { milliseconds: {}, refused: {} }
  const end = performance.now() + seconds * 1000
  const client = async (calls: readonly Call[]) => {
    while (performance.now() < end)
      for (const call of calls) {
        const start = performance.now()
        const { status, text } = await make(address, token, call)
        const times = report.milliseconds[call.name] ?? []
        report.milliseconds[call.name] = times
        times.push(performance.now() - start)
        if (status < 200 || status > 299) {
          const name = `${call.name}: ${status} ${text.slice(0, 120)}`
          report.refused[name] = (report.refused[name] ?? 0) + 1
        }
        await pause(pauseMilliseconds)
      }
  }
  await Promise.all(groups.map(client))
  return report
}

async function make(address: string, token: string, call: Call): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  let body: string | FormData | undefined
  if (call.upload) {
    body = new FormData()
    for (const [name, value] of Object.entries(call.upload.fields)) body.append(name, value)
    body.append("file", new Blob([call.upload.csv]), "rows.csv")
  } else if (call.body !== undefined) {
    headers["content-type"] = "application/json"
    body = call.body.replaceAll("{n}", () => String(++counter))
  }
  const reply = await fetch(`${address}${call.path}`, {
    method: call.method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  if (!reply.ok) return { status: reply.status, text: await reply.text() }
  for await (const _ of reply.body ?? []);
  return { status: reply.status, text: "" }
}

process.once("message", async (order: ClientOrder) => {
  process.send?.(await run(order))
  process.disconnect?.()
})
