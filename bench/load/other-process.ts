import { fork } from "node:child_process"
import { once } from "node:events"
import type { LoadOrder, LoadOutcome } from "./load-worker.ts"

/** Sends requests from another process, so that this one's processor time is the server's alone. */
export async function loadFromOtherProcess(order: LoadOrder): Promise<LoadOutcome> {
  const client = fork(new URL("./load-worker.ts", import.meta.url), {
    execArgv: [],
    serialization: "advanced",
  })
  client.send(order)
  const [outcome] = (await once(client, "message")) as [LoadOutcome]
  if (outcome.refused > 0)
    throw new Error(`${outcome.refused} of ${order.requests} responses were not 2xx: ${outcome.refusal}`)
  return outcome
}
