import { fork } from "node:child_process"
import type { Call, ClientOrder, ClientReport } from "./fairness-client.ts"

const roundSeconds = 10

export interface SteadyLoad {
  /** Waits for the round in progress and returns what all of them saw. */
  end(): Promise<LoadSummary>
}

export interface LoadSummary {
  calls: number
  p50Milliseconds: number
  p99Milliseconds: number
  refused: Record<string, number>
}

/** Calls in groups, one after the other in each, from a process of its own until `end`. */
export function steadyLoad(
  address: string,
  clients: readonly { token: string; groups: Call[][] }[],
  pauseMilliseconds: number,
): SteadyLoad {
  let isWanted = true
  const reports: ClientReport[] = []
  const rounds = clients.map(async ({ token, groups }) => {
    while (isWanted)
      reports.push(await oneRound({ address, token, groups, pauseMilliseconds, seconds: roundSeconds }))
  })
  return {
    async end() {
      isWanted = false
      await Promise.all(rounds)
      return summarize(reports)
    },
  }
}

function oneRound(order: ClientOrder): Promise<ClientReport> {
  const client = fork(new URL("./fairness-client.ts", import.meta.url), { execArgv: [] })
  return new Promise((resolve, reject) => {
    client.once("message", (report) => resolve(report as ClientReport))
    client.once("error", reject)
    client.once("exit", (code) => reject(new Error(`the client of the load ended with ${code}`)))
    client.send(order)
  })
}

function summarize(reports: readonly ClientReport[]): LoadSummary {
  const times = reports
    .flatMap(({ milliseconds }) => Object.values(milliseconds).flat())
    .toSorted((a, b) => a - b)
  const refused: Record<string, number> = {}
  for (const report of reports)
    for (const [name, count] of Object.entries(report.refused)) refused[name] = (refused[name] ?? 0) + count
  return {
    calls: times.length,
    p50Milliseconds: times[Math.floor(times.length * 0.5)] ?? 0,
    p99Milliseconds: times[Math.floor(times.length * 0.99)] ?? 0,
    refused,
  }
}
