import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Type } from "typebox"
import type { Pool, Tx } from "#core/database/database.ts"
import { type EventText, listEventTexts, type StoredEventName, storedName } from "#core/domain-events.ts"
import { defineJob, type JobContext, send } from "#core/jobs/define-job.ts"
import { heartbeat } from "#core/jobs/heartbeat.ts"
import { type OpenAutomation, openAutomation, unsigned } from "../automation-secrets.ts"
import { type AutomationRow, findAutomations } from "../queries.ts"
import { bodyOf, callWebhook, type Exchange } from "./call-webhook.ts"
import { type ClaimedEndpoint, claimEndpoints, type Delivery, listDueDeliveries } from "./delivery-queue.ts"
import { type Results, recordResults } from "./record-deliveries.ts"
import { nextTry } from "./retry-pauses.ts"

/** Calls of one process at a time; each endpoint has at most one. */
export const concurrentCalls = 50
/** Endpoints whose last try failed take at most this many of them: those that hang leave room for the others. */
const failingCalls = 20
/** Turns that are fetched before there is a call free for them. */
const turnsAhead = 50
/** Transactions that write results at the same time: each is about other endpoints. */
const recorders = 2
/** Turns in hand, with those whose calls are over and whose results are being written. */
const turnsInHand = 150
/** One turn of an endpoint: so many deliveries, or this long and then the call in hand. */
const deliveriesPerTurn = 20
const turnMilliseconds = 5_000
/** Finished turns are collected this long, so that the next are fetched with few statements. */
const gatherMilliseconds = 4
const heartbeatMilliseconds = 5_000
/** The job ends then and begins anew, so that its time limit stays a sign of a fault. */
const shiftMilliseconds = 240_000
const retryWakeSeconds = 5

/**
 * Sends what is due until nothing is. One at a time works in a process and takes up everything that becomes due
 * meanwhile; others that are started beside it only tell it to look again.
 */
export const deliverWebhooks = defineJob({
  name: "webhook.deliver",
  payload: Type.Object({}),
  maxAttempts: 25,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle(context) {
    const running = shifts.get(context.sql)
    if (running) return running.wake()
    let shift: Shift
    do {
      shift = new Shift(context)
      shifts.set(context.sql, shift)
      try {
        await shift.run()
      } finally {
        shifts.delete(context.sql)
      }
    } while (shift.isWoken && !context.signal.aborted)
  },
})

const shifts = new WeakMap<Pool, Shift>()

/** What one endpoint gets in its turn. */
interface Turn {
  endpoint: ClaimedEndpoint
  automation: OpenAutomation | undefined
  deliveries: { delivery: Delivery; event: EventText | undefined }[]
  /** Why its secrets cannot be read, where that is so. */
  fault: string | undefined
}

/** A worker's time at the queues: mutable, hence a class. */
class Shift {
  readonly #context: JobContext
  readonly #owner = `webhooks:${randomUUID()}`
  readonly #turns = new Set<Promise<void>>()
  #results: Results = { tried: [], dropped: [], finished: [] }
  /** What gathers for the next time something is written. */
  #gathering: Promise<void> | undefined
  #recording = 0
  readonly #waitingToRecord: (() => void)[] = []
  #bell = Promise.withResolvers<void>()
  #calling = 0
  /** Start the turns that wait for a free call. */
  readonly #ready: (() => void)[] = []
  /** Turns in hand of endpoints whose last try failed. */
  #failing = 0
  #fault: unknown
  /** Whether somebody asked to look again since the last look. */
  isWoken = false

  constructor(context: JobContext) {
    this.#context = context
  }

  wake(): void {
    this.isWoken = true
    this.#bell.resolve()
  }

  async run(): Promise<void> {
    const { sql, signal, log } = this.#context
    const beat = () => heartbeat(sql, [this.#owner])
    await beat()
    const timer = setInterval(
      () => void beat().catch((error) => log.warn({ reason: String(error) }, "webhook heartbeat failed")),
      heartbeatMilliseconds,
    )
    signal.addEventListener("abort", () => this.wake(), { once: true })
    const ends = Date.now() + shiftMilliseconds
    try {
      while (!signal.aborted && this.#fault === undefined && Date.now() < ends) {
        this.#bell = Promise.withResolvers()
        this.isWoken = false
        const taken = await this.#take()
        if (taken === 0 && this.#turns.size === 0 && !this.isWoken) break
        await this.#bell.promise
        await pause(gatherMilliseconds)
      }
      await Promise.all(this.#turns)
      if (this.#fault !== undefined) throw this.#fault
      if (Date.now() >= ends) await send(sql, deliverWebhooks, {})
    } finally {
      clearInterval(timer)
      await sql`delete from worker_heartbeats where worker_id = ${this.#owner}`
    }
  }

  /** Fetches turns for the calls that are free. Returns how many. */
  async #take(): Promise<number> {
    const { sql, clock } = this.#context
    const wanted = concurrentCalls + turnsAhead - this.#calling - this.#ready.length
    const count = Math.min(wanted, turnsInHand - this.#turns.size)
    if (count <= 0) return 0
    const now = clock.now()
    const options = { count, failingCount: Math.max(0, failingCalls - this.#failing), now }
    const endpoints = await claimEndpoints(sql, this.#owner, options)
    if (endpoints.length === 0) return 0
    for (const turn of await this.#load(endpoints, now)) {
      const work: Promise<void> = this.#serve(turn)
        .catch((error: unknown) => {
          this.#fault ??= error
        })
        .finally(() => {
          this.#turns.delete(work)
          this.#failing -= Number(turn.endpoint.isFailing)
          this.#bell.resolve()
        })
      this.#turns.add(work)
      this.#failing += Number(turn.endpoint.isFailing)
    }
    return endpoints.length
  }

  /** Waits for a free call, makes the calls of the turn, and writes what came of them while others call. */
  async #serve(turn: Turn): Promise<void> {
    if (this.#calling >= concurrentCalls)
      await new Promise<void>((resolve) => {
        this.#ready.push(resolve)
      })
    this.#calling += 1
    try {
      await this.#call(turn)
    } finally {
      this.#calling -= 1
      this.#ready.shift()?.()
      this.#bell.resolve()
    }
    this.#results.finished.push(turn.endpoint)
    await this.#record()
  }

  async #load(endpoints: readonly ClaimedEndpoint[], now: Temporal.Instant): Promise<Turn[]> {
    const { sql, config } = this.#context
    const [automations, deliveries] = await Promise.all([
      findAutomations(sql, endpoints),
      listDueDeliveries(sql, endpoints, deliveriesPerTurn, now),
    ])
    const events = new Map(
      (await listEventTexts(sql, deliveries.map(eventOf))).map((event) => [
        `${event.organizationId} ${event.number}`,
        event,
      ]),
    )
    const rows = new Map(automations.map((row) => [row.id as string, row]))
    const queues = Map.groupBy(deliveries, ({ automationId }) => automationId)
    return Promise.all(
      endpoints.map(async (endpoint) => ({
        endpoint,
        ...(await this.#open(rows.get(endpoint.automationId), config)),
        deliveries: (queues.get(endpoint.automationId) ?? []).map((delivery) => ({
          delivery,
          event: events.get(`${delivery.organizationId} ${delivery.eventNumber}`),
        })),
      })),
    )
  }

  async #open(
    row: AutomationRow | undefined,
    config: JobContext["config"],
  ): Promise<Pick<Turn, "automation" | "fault">> {
    if (!row?.isActive) return { automation: undefined, fault: undefined }
    try {
      return { automation: await openAutomation({ sql: this.#context.sql, config }, row), fault: undefined }
    } catch (error) {
      const fault = `The headers and secrets of this webhook cannot be decrypted. Enter them again: ${String(error)}`
      return { automation: { ...row, ...unsigned }, fault }
    }
  }

  async #call({ automation, deliveries, fault }: Turn): Promise<void> {
    const { signal, clock } = this.#context
    const ends = Date.now() + turnMilliseconds
    for (const { delivery, event } of deliveries) {
      if (!automation || !event) {
        this.#results.dropped.push(delivery)
        continue
      }
      if (signal.aborted || Date.now() >= ends) break
      const body = bodyOf(automation, { ...event, event: nameFor(automation, event.event) })
      const exchange = fault
        ? unsent(automation, body, fault, clock.now())
        : await callWebhook(this.#context, automation, body, {
            event: nameFor(automation, event.event),
            attempt: delivery.attempt,
            messageId: `${delivery.eventXid}-${delivery.eventNumber}-${automation.id}`,
            trace: event.trace,
          })
      // Broken off by the end of the process: it is sent again.
      if (signal.aborted && !exchange.isSuccess) break
      const isLast = exchange.isSuccess || delivery.origin === "replay"
      const retryAt = isLast
        ? undefined
        : nextTry(automation, delivery.attempt, clock.now(), exchange.notBefore)
      const { referenceId, trace } = event
      this.#results.tried.push({ delivery, automation, exchange, referenceId, trace, retryAt })
      // The receiver asked to be left alone: what waits for it waits on.
      if (exchange.notBefore) break
    }
  }

  /** Writes what there is; while others are written, what comes gathers for the next time. */
  #record(): Promise<void> {
    this.#gathering ??= this.#freeRecorder().then(async () => {
      const results = this.#results
      this.#results = { tried: [], dropped: [], finished: [] }
      this.#gathering = undefined
      const { sql, clock } = this.#context
      try {
        await recordResults(sql, this.#owner, results, { now: clock.now(), wakeAt })
      } finally {
        this.#recording -= 1
        this.#waitingToRecord.shift()?.()
      }
    })
    return this.#gathering
  }

  async #freeRecorder(): Promise<void> {
    if (this.#recording >= recorders)
      await new Promise<void>((resolve) => {
        this.#waitingToRecord.push(resolve)
      })
    this.#recording += 1
  }
}

/** Retries are looked for when they are due; those of a few seconds share one look. */
async function wakeAt(tx: Tx, moments: readonly Temporal.Instant[]): Promise<void> {
  const slots = new Set(
    moments.map(({ epochMilliseconds }) => Math.ceil(epochMilliseconds / 1000 / retryWakeSeconds)),
  )
  for (const slot of [...slots].toSorted((one, other) => one - other)) {
    const runAt = Temporal.Instant.fromEpochMilliseconds(slot * retryWakeSeconds * 1000)
    await send(tx, deliverWebhooks, {}, { runAt, key: `webhook.deliver:${slot}` })
  }
}

/** The name by which the webhook asked for it. */
const nameFor = ({ event }: AutomationRow, stored: StoredEventName) =>
  storedName(event) === stored ? event : stored

const eventOf = ({ organizationId, eventXid, eventNumber }: Delivery) => ({
  organizationId,
  xid: eventXid,
  number: eventNumber,
})

function unsent(
  automation: OpenAutomation,
  request: string,
  response: string,
  now: Temporal.Instant,
): Exchange {
  return {
    isSuccess: false,
    statusCode: 0,
    url: String(automation.details.url),
    request,
    response,
    responseHeaders: null,
    startedTime: now,
    finishedTime: now,
  }
}
