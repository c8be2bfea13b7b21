import { setTimeout as pause } from "node:timers/promises"
import type { Person } from "#samples/builders.ts"
import { tokenOf } from "../start-app.ts"
import type { World } from "./world.ts"

/**
 * A console that stays open: it reads the stream of live events, and connects again, from where it was, when a node goes.
 */
export class Watcher {
  /** Ids of tasks that any event spoke of. */
  readonly seen = new Set<string>()
  readonly #world: World
  readonly #person: Person
  readonly #stopping = new AbortController()
  #cursor: string | undefined
  #ended: Promise<void>

  constructor(world: World, person: Person) {
    this.#world = world
    this.#person = person
    this.#ended = this.#follow()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#readOnce().catch(() => undefined)
      if (!signal.aborted) await pause(20)
    }
  }

  async #readOnce(): Promise<void> {
    const token = await tokenOf(this.#world.sql, this.#person)
    const reply = await fetch(`${this.#world.address()}/api/v3/events`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(this.#cursor === undefined ? {} : { "last-event-id": this.#cursor }),
      },
      signal: this.#stopping.signal,
    })
    let rest = ""
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true })
      const messages = rest.split("\n\n")
      rest = messages.pop() ?? ""
      for (const message of messages) this.#take(message)
    }
  }

  #take(message: string): void {
    const cursor = /^id: ?(.+)$/m.exec(message)?.[1]
    if (cursor !== undefined) this.#cursor = cursor
    for (const [id] of message.matchAll(/[0-9a-f]{24}/g)) this.seen.add(id)
  }

  /** Waits until the events of all these tasks have come; returns those that did not. */
  async missing(ids: readonly string[]): Promise<string[]> {
    const end = performance.now() + 10_000
    for (;;) {
      const missing = ids.filter((id) => !this.seen.has(id))
      if (missing.length === 0 || performance.now() > end) return missing
      await pause(20)
    }
  }

  /** Clears what it saw: later changes are announced again. */
  clear(): void {
    this.seen.clear()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }
}
