import type pg from "pg"
import { ConnectionError, toConnectionError } from "./errors.ts"
import type { Query, Rows } from "./query.ts"
import { Session } from "./session.ts"

export interface PoolSettings {
  config: pg.ClientConfig
  max: number
  /** Milliseconds after which an unused connection closes; 0 keeps it. */
  idleMilliseconds: number
  patienceMilliseconds: number
  /** Called with the id of the server's process for each new connection. */
  onConnect: ((processId: number) => void) | undefined
  /** A statement that begins each transaction, in the same packet; undefined for none. */
  transactionContext?: () => string | undefined
}

type Work = (session: Session) => void

interface Waiting {
  work: Work
  reject(error: Error): void
  /** A whole connection is wanted, not a place on one. */
  isAlone: boolean
}

const maxPipelined = 100
const sweepMilliseconds = 2_000
const longestBackOffMilliseconds = 2_000
const defaultEndSeconds = 30

/**
 * Connections that statements share. A statement goes to an idle connection, else to a new one, and when there are
 * `max` of them behind the queries of the least busy one. Whatever waits is refused when the server cannot be
 * reached, and attempts to reach it are made at most every two seconds.
 */
export class ConnectionPool {
  readonly settings: PoolSettings
  readonly #sessions = new Set<Session>()
  readonly #idle: Session[] = []
  #waiting: Waiting[] = []
  #opening = 0
  #failures = 0
  #nextAttemptAt = 0
  readonly #retries = new Set<NodeJS.Timeout>()
  #sweeper: NodeJS.Timeout | undefined
  #ending: Promise<void> | undefined
  #onDrained: (() => void) | undefined
  #isDestroyed = false
  /** A connection that is to be kept may hold a lock of its session. */
  readonly #lifetime: number

  constructor(settings: PoolSettings) {
    this.settings = settings
    this.#lifetime = settings.idleMilliseconds === 0 ? Infinity : (30 + Math.random() * 30) * 60_000
  }

  run(query: Query): Promise<Rows<unknown>> {
    return new Promise((resolve, reject) => {
      this.#place({ work: (session) => session.run({ query, resolve, reject }), reject, isAlone: false })
    })
  }

  /** A connection for one caller alone, until `release`. */
  reserve(): Promise<Session> {
    return new Promise((resolve, reject) => {
      const work = (session: Session) => {
        session.isReserved = true
        resolve(session)
      }
      this.#place({ work, reject, isAlone: true })
    })
  }

  release(session: Session): void {
    session.isReserved = false
    this.#settled(session)
  }

  /** Refuses new statements, finishes the others, and destroys what is left after so many seconds. */
  end(timeoutSeconds = defaultEndSeconds): Promise<void> {
    this.#ending ??= this.#end(timeoutSeconds)
    return this.#ending
  }

  async #end(timeoutSeconds: number): Promise<void> {
    await null
    let timer: NodeJS.Timeout | undefined
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutSeconds * 1000)
    })
    const drained = new Promise<void>((resolve) => {
      this.#onDrained = resolve
      this.#checkDrained()
    })
    await Promise.race([drained, isOver])
    const closed = Promise.all([...this.#sessions].map((session) => session.end().catch(() => undefined)))
    const isGraceful = await Promise.race([
      drained.then(() => closed).then(() => true),
      isOver.then(() => false),
    ])
    clearTimeout(timer)
    if (!isGraceful) this.#destroy()
    clearInterval(this.#sweeper)
  }

  #destroy(): void {
    this.#isDestroyed = true
    for (const timer of this.#retries) clearTimeout(timer)
    const error = new ConnectionError("CONNECTION_DESTROYED", "the pool of connections was closed")
    for (const { reject } of this.#waiting.splice(0)) reject(error)
    for (const session of [...this.#sessions]) session.destroy("CONNECTION_DESTROYED", error.message)
  }

  #checkDrained(): void {
    if (!this.#onDrained || this.#waiting.length > 0 || this.#opening > 0) return
    for (const session of this.#sessions) if (session.inFlight > 0 || session.isReserved) return
    this.#onDrained()
  }

  #place(waiting: Waiting): void {
    if (this.#ending) {
      waiting.reject(new ConnectionError("CONNECTION_ENDED", "the pool of connections is closed"))
      return
    }
    const idle = this.#waiting.length === 0 ? this.#takeIdle() : undefined
    if (idle) {
      waiting.work(idle)
      return
    }
    if (this.#sessions.size + this.#opening < this.settings.max) {
      this.#waiting.push(waiting)
      this.#open()
      return
    }
    const shared = waiting.isAlone || this.#waiting.length > 0 ? undefined : this.#leastBusy()
    if (shared) waiting.work(shared)
    else this.#waiting.push(waiting)
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop()
      if (!session || (!session.isLost && !session.isReserved && session.inFlight === 0)) return session
    }
  }

  #leastBusy(): Session | undefined {
    let best: Session | undefined
    for (const session of this.#sessions)
      if (!session.isReserved && session.isOpen && session.inFlight < (best?.inFlight ?? maxPipelined))
        best = session
    return best
  }

  /** Opens one more connection for what waits, after the pause that earlier failures demand. */
  #open(): void {
    this.#opening += 1
    const startedAt = performance.now()
    const pause = this.#nextAttemptAt - startedAt
    if (pause <= 0) {
      void this.#attempt(startedAt)
      return
    }
    const timer = setTimeout(() => {
      this.#retries.delete(timer)
      void this.#attempt(performance.now())
    }, pause)
    this.#retries.add(timer)
  }

  async #attempt(startedAt: number): Promise<void> {
    const before = new Set(this.#waiting)
    try {
      const session = await Session.open({
        config: this.settings.config,
        patienceMilliseconds: this.settings.patienceMilliseconds,
        onChange: (changed) => this.#settled(changed),
      })
      this.#opening -= 1
      if (this.#isDestroyed)
        return session.destroy("CONNECTION_DESTROYED", "the pool of connections was closed")
      this.#failures = 0
      this.#nextAttemptAt = 0
      if (session.processId !== null) this.settings.onConnect?.(session.processId)
      this.#sessions.add(session)
      this.#sweep()
      this.#settled(session)
    } catch (error) {
      this.#opening -= 1
      this.#failures += 1
      this.#nextAttemptAt = startedAt + Math.min(100 * 2 ** this.#failures, longestBackOffMilliseconds)
      this.#refuse(toConnectionError(error), before)
      this.#checkDrained()
    }
  }

  /**
   * A connection could not be had: refuses one that waits when others can still be served, and everything that waited
   * when the attempt began when not.
   */
  #refuse(error: Error, before: ReadonlySet<Waiting>): void {
    const refused =
      this.#sessions.size > 0 ? this.#waiting.slice(0, 1) : this.#waiting.filter((each) => before.has(each))
    this.#waiting = this.#waiting.filter((each) => !refused.includes(each))
    for (const { reject } of refused) reject(error)
    this.#openForWaiting()
  }

  #openForWaiting(): void {
    const room = this.settings.max - this.#sessions.size - this.#opening
    const wanted = Math.min(room, this.#waiting.length - this.#opening)
    for (let index = 0; index < wanted; index += 1) this.#open()
  }

  /** Something ended on a connection, or the connection did. */
  #settled(session: Session): void {
    if (session.isLost) {
      this.#sessions.delete(session)
      this.#openForWaiting()
    } else if (!session.isReserved) this.#serve(session)
    if (this.#onDrained) this.#checkDrained()
  }

  #serve(session: Session): void {
    while (this.#waiting.length > 0 && session.isOpen) {
      const [first] = this.#waiting
      if (!first || (first.isAlone && session.inFlight > 0)) break
      // Others that wait get a connection of their own where they can.
      if (session.inFlight > 0 && (this.#opening > 0 || session.inFlight >= maxPipelined)) break
      this.#waiting.shift()
      first.work(session)
      if (session.isReserved) return
    }
    if (session.inFlight > 0) return
    const age = session.isWorn ? Infinity : performance.now() - session.bornAt
    if (age > this.#lifetime) this.#retire(session)
    else if (!this.#idle.includes(session)) this.#idle.push(session)
  }

  #retire(session: Session): void {
    this.#sessions.delete(session)
    session.end().catch(() => undefined)
    this.#openForWaiting()
  }

  /** Closes what has been idle for too long, and gives up what has been silent for too long. */
  #sweep(): void {
    if (this.#sweeper) return
    this.#sweeper = setInterval(() => {
      const now = performance.now()
      for (const session of [...this.#sessions]) session.checkPatience(now)
      const { idleMilliseconds } = this.settings
      for (const session of this.#idle.splice(0)) {
        if (session.isLost || session.isReserved || session.inFlight > 0) continue
        if (idleMilliseconds > 0 && now - session.idleSince > idleMilliseconds) this.#retire(session)
        else this.#idle.push(session)
      }
    }, sweepMilliseconds)
    this.#sweeper.unref()
  }
}
