import { fork } from "node:child_process"
import type { LiveOrder, LiveOutcome } from "./live-clients.ts"

/** Phones and watchers in a process of their own, until the order's seconds are over. Returns the last part. */
export async function playLive(
  order: LiveOrder,
  onPart: (part: LiveOutcome) => void = () => undefined,
): Promise<LiveOutcome> {
  // Structured clones instead of JSON, for the arrays of milliseconds.
  const child = fork(new URL("./live-clients.ts", import.meta.url), {
    execArgv: [],
    serialization: "advanced",
  })
  let last: LiveOutcome | undefined
  return await new Promise<LiveOutcome>((resolve, reject) => {
    child.on("message", (message: "ready" | "done" | LiveOutcome) => {
      if (message === "ready") child.send(order)
      else if (message !== "done") {
        last = message
        onPart(message)
      } else {
        child.disconnect()
        if (last) resolve(last)
      }
    })
    child.once("exit", (code) => reject(new Error(`the clients ended early, with code ${code}`)))
  })
}
