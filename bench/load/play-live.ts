import { fork } from "node:child_process"
import type { LiveOrder, LiveOutcome } from "./live-clients.ts"

/** Phones and watchers in a process of their own, until the order's seconds are over. */
export async function playLive(order: LiveOrder): Promise<LiveOutcome> {
  // Structured clones instead of JSON, for the array of milliseconds.
  const child = fork(new URL("./live-clients.ts", import.meta.url), {
    execArgv: [],
    serialization: "advanced",
  })
  return await new Promise<LiveOutcome>((resolve, reject) => {
    child.on("message", (message: "ready" | LiveOutcome) => {
      if (message === "ready") child.send(order)
      else {
        child.disconnect()
        resolve(message)
      }
    })
    child.once("exit", (code) => reject(new Error(`the clients ended early, with code ${code}`)))
  })
}
