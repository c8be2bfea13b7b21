import { type MessagePort, receiveMessageOnPort } from "node:worker_threads"
import type { Plan } from "../problem/problem.ts"

/** Another search of the same problem at the same time, in another thread. */
export type Colleague = {
  /** Sends it the best plan so far. */
  readonly offer: (found: Found) => void
  /** The best plan that it sent since the last call. */
  readonly take: () => Found | undefined
}

type Found = { readonly plan: Plan; readonly cost: number }

/** A colleague at the other end of a port. A search never yields, so it asks for messages instead of waiting for them. */
export function colleagueAt(port: MessagePort): Colleague {
  return {
    offer: (found) => port.postMessage(found),
    take() {
      let last: Found | undefined
      for (;;) {
        const received: { message: Found } | undefined = receiveMessageOnPort(port)
        if (!received) return last
        last = received.message
      }
    },
  }
}
