import type { PoolSettings } from "./pool.ts"
import { Identifier, Query } from "./query.ts"
import { Session } from "./session.ts"
import type { Listening } from "./sql.ts"

interface Subscription {
  channel: string
  onNotify(payload: string): void
  onListen: (() => void) | undefined
}

const longestPauseMilliseconds = 2_000

/** Listens for NOTIFY on one connection, opened with the first channel and reopened whenever it is lost. */
export class Listener {
  readonly #settings: PoolSettings
  readonly #subscriptions = new Set<Subscription>()
  #session: Promise<Session> | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #isEnded = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** Rejects when the database cannot be reached now; afterwards it keeps trying by itself. */
  async listen(
    channel: string,
    onNotify: (payload: string) => void,
    onListen?: () => void,
  ): Promise<Listening> {
    const subscription = { channel, onNotify, onListen }
    const session = await this.#connected()
    await statement(session, "listen", channel)
    this.#subscriptions.add(subscription)
    onListen?.()
    return {
      unlisten: async () => {
        this.#subscriptions.delete(subscription)
        if ([...this.#subscriptions].some((other) => other.channel === channel) || this.#isEnded) return
        const current = await this.#session?.catch(() => undefined)
        if (current && !current.isLost) await statement(current, "unlisten", channel)
      },
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true
    clearTimeout(this.#timer)
    const session = await this.#session?.catch(() => undefined)
    session?.destroy("CONNECTION_ENDED", "the pool of connections is closed")
  }

  #connected(): Promise<Session> {
    this.#session ??= this.#open()
    return this.#session
  }

  async #open(): Promise<Session> {
    try {
      const session = await Session.open({
        config: this.#settings.config,
        patienceMilliseconds: this.#settings.patienceMilliseconds,
        onChange: () => undefined,
        onNotification: (channel, payload) => {
          for (const subscription of this.#subscriptions)
            if (subscription.channel === channel) subscription.onNotify(payload)
        },
      })
      if (this.#isEnded) session.destroy("CONNECTION_ENDED", "the pool of connections is closed")
      session.onLost(() => this.#again())
      return session
    } catch (error) {
      this.#session = undefined
      throw error
    }
  }

  #again(): void {
    this.#session = undefined
    clearTimeout(this.#timer)
    if (this.#isEnded || this.#subscriptions.size === 0) return
    const pause = Math.min(100 * 2 ** this.#failures, longestPauseMilliseconds)
    this.#timer = setTimeout(() => void this.#rejoin(), pause)
  }

  async #rejoin(): Promise<void> {
    try {
      const session = await this.#connected()
      for (const channel of new Set([...this.#subscriptions].map((subscription) => subscription.channel)))
        await statement(session, "listen", channel)
      this.#failures = 0
      for (const subscription of this.#subscriptions) subscription.onListen?.()
    } catch {
      this.#failures += 1
      this.#again()
    }
  }
}

function statement(session: Session, verb: "listen" | "unlisten", channel: string): Promise<unknown> {
  const runner = {
    run: () => Promise.reject(new Error("runs on its session")),
    cursor: () => {
      throw new Error("runs on its session")
    },
  }
  const query = new Query(runner, [`${verb} ${new Identifier(channel).text}`], [], {
    isSimple: true,
    isOnce: true,
    reusesPlan: false,
  })
  return new Promise((resolve, reject) => session.run({ query, resolve, reject }))
}
