import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Type } from "typebox"
import type { Pool, Tx } from "#core/database/database.ts"
import { type EventText, listEventTexts, type StoredEventName, storedName } from "#core/domain-events.ts"
import { defineJob, type JobContext, send } from "#core/jobs/define-job.ts"
import { endHeartbeat, heartbeat } from "#core/jobs/heartbeat.ts"
import { type OpenAutomation, openOrReason } from "../automation-secrets.ts"
import { type AutomationRow, findAutomations } from "../queries.ts"
import { bodyOf, callWebhook, type Exchange } from "./call-webhook.ts"
import { type ClaimedEndpoint, claimEndpoints, type Delivery, listDueDeliveries } from "./delivery-queue.ts"
import { type Results, recordResults } from "./record-deliveries.ts"
import { nextTry } from "./retry-pauses.ts"

/** Concurrent calls of one process; each endpoint has at most one. */
export const concurrentCalls = 50
/** Endpoints whose last attempt failed use at most this many calls, so that hanging endpoints do not block others. */
const failingCalls = 20
/** Leases that are claimed before a call is free for them. */
const leasesAhead = 50
/** Concurrent transactions that write results; each writes different endpoints. */
const recorders = 2
/** Leases held, including those whose calls have ended and whose results are being written. */
const maxLeases = 150
/** A lease ends after this many deliveries, or after the call that is in progress when this time has passed. */
const deliveriesPerLease = 20
const leaseMilliseconds = 5_000
/** Finished leases are collected for this time, so that the next are claimed in few statements. */
const gatherMilliseconds = 4
const heartbeatMilliseconds = 5_000
/** The job then ends and sends its successor, so that exceeding its time limit always indicates a fault. */
const runMilliseconds = 240_000
const retryWakeSeconds = 5

/**
 * Sends deliveries until none is due. A process has one run at a time, which also sends everything that becomes due
 * meanwhile; a job that starts during a run only wakes it.
 */
export const deliverWebhooks = defineJob({
  name: "webhook.deliver",
  payload: Type.Object({}),
  maxAttempts: 25,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle(context) {
    const running = runs.get(context.sql)
    if (running) return running.wake()
    let run: DeliveryRun
    do {
      run = new DeliveryRun(context)
      runs.set(context.sql, run)
      try {
        await run.run()
      } finally {
        runs.delete(context.sql)
      }
    } while (run.isWoken && !context.signal.aborted)
  },
})

const runs = new WeakMap<Pool, DeliveryRun>()
/** The last run of a process while its end is not written: until then its leases count as held. */
const unended = new WeakMap<Pool, string>()

/** An endpoint that this process has claimed, with its due deliveries. */
interface EndpointLease {
  endpoint: ClaimedEndpoint
  automation: OpenAutomation | undefined
  deliveries: { delivery: Delivery; event: EventText | undefined }[]
  /** Why its secrets cannot be decrypted, if so. */
  fault: string | undefined
}

/** One run of the job. It has mutable state, hence a class. */
class DeliveryRun {
  readonly #context: JobContext
  readonly #owner = `webhooks:${randomUUID()}`
  readonly #leases = new Set<Promise<void>>()
  #results: Results = { tried: [], dropped: [], finished: [] }
  /** Collects results for the next write. */
  #gathering: Promise<void> | undefined
  #recording = 0
  readonly #waitingToRecord: (() => void)[] = []
  #bell = Promise.withResolvers<void>()
  #calling = 0
  /** Start the leases that wait for a free call. */
  readonly #ready: (() => void)[] = []
  /** Leases held of endpoints whose last attempt failed. */
  #failing = 0
  #fault: unknown
  /** Whether a job was started since the last claim. */
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
    const left = unended.get(sql)
    if (left !== undefined) await endHeartbeat(sql, left)
    unended.set(sql, this.#owner)
    const beat = () => heartbeat(sql, [this.#owner])
    await beat()
    const timer = setInterval(
      () => void beat().catch((error) => log.warn({ reason: String(error) }, "webhook heartbeat failed")),
      heartbeatMilliseconds,
    )
    signal.addEventListener("abort", () => this.wake(), { once: true })
    const ends = Date.now() + runMilliseconds
    try {
      await this.#work(ends).catch((error: unknown) => {
        this.#fault ??= error
      })
      // Others may claim the endpoints as soon as the heartbeat ends.
      await Promise.all(this.#leases)
      if (this.#fault !== undefined) throw this.#fault
      if (signal.aborted || Date.now() >= ends) await send(sql, deliverWebhooks, {})
    } finally {
      clearInterval(timer)
      await endHeartbeat(sql, this.#owner)
      unended.delete(sql)
    }
  }

  /** Claims and serves until nothing is due, `ends` (milliseconds) has come, or something failed. */
  async #work(ends: number): Promise<void> {
    const { signal } = this.#context
    while (!signal.aborted && this.#fault === undefined && Date.now() < ends) {
      this.#bell = Promise.withResolvers()
      this.isWoken = false
      // A lease that ends during the claim may leave deliveries that the claim did not see.
      const held = this.#leases.size
      const taken = await this.#take()
      if (taken === 0 && held === 0 && !this.isWoken) break
      await this.#bell.promise
      await pause(gatherMilliseconds)
    }
  }

  /** Claims leases for the free calls. Returns how many. */
  async #take(): Promise<number> {
    const { sql, clock } = this.#context
    const wanted = concurrentCalls + leasesAhead - this.#calling - this.#ready.length
    const count = Math.min(wanted, maxLeases - this.#leases.size)
    if (count <= 0) return 0
    const now = clock.now()
    const options = { count, failingCount: Math.max(0, failingCalls - this.#failing), now }
    const endpoints = await claimEndpoints(sql, this.#owner, options)
    if (endpoints.length === 0) return 0
    for (const lease of await this.#load(endpoints, now)) {
      const work: Promise<void> = this.#serve(lease)
        .catch((error: unknown) => {
          this.#fault ??= error
        })
        .finally(() => {
          this.#leases.delete(work)
          this.#failing -= Number(lease.endpoint.isFailing)
          this.#bell.resolve()
        })
      this.#leases.add(work)
      this.#failing += Number(lease.endpoint.isFailing)
    }
    return endpoints.length
  }

  /** Waits for a free call, makes the calls of the lease and records their results while others call. */
  async #serve(lease: EndpointLease): Promise<void> {
    if (this.#calling >= concurrentCalls)
      await new Promise<void>((resolve) => {
        this.#ready.push(resolve)
      })
    this.#calling += 1
    try {
      await this.#call(lease)
    } finally {
      this.#calling -= 1
      this.#ready.shift()?.()
      this.#bell.resolve()
    }
    this.#results.finished.push(lease.endpoint)
    await this.#record()
  }

  async #load(endpoints: readonly ClaimedEndpoint[], now: Temporal.Instant): Promise<EndpointLease[]> {
    const { sql } = this.#context
    const [automations, deliveries] = await Promise.all([
      findAutomations(sql, endpoints),
      listDueDeliveries(sql, endpoints, deliveriesPerLease, now),
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
        ...(await this.#open(rows.get(endpoint.automationId))),
        deliveries: (queues.get(endpoint.automationId) ?? []).map((delivery) => ({
          delivery,
          event: events.get(`${delivery.organizationId} ${delivery.eventNumber}`),
        })),
      })),
    )
  }

  async #open(row: AutomationRow | undefined): Promise<Pick<EndpointLease, "automation" | "fault">> {
    if (!row?.isActive) return { automation: undefined, fault: undefined }
    const { sql, config } = this.#context
    const { automation, reason } = await openOrReason({ sql, config }, row)
    const fault =
      reason && `The headers and secrets of this webhook cannot be decrypted. Enter them again: ${reason}`
    return { automation, fault }
  }

  async #call({ automation, deliveries, fault }: EndpointLease): Promise<void> {
    const { signal, clock } = this.#context
    const ends = Date.now() + leaseMilliseconds
    for (const { delivery, event } of deliveries) {
      if (!automation || !event) {
        this.#results.dropped.push(delivery)
        continue
      }
      if (signal.aborted || this.#fault !== undefined || Date.now() >= ends) break
      const body = bodyOf(automation, { ...event, event: nameFor(automation, event.event) })
      const exchange = fault
        ? unsent(automation, body, fault, clock.now())
        : await callWebhook(this.#context, automation, body, {
            event: nameFor(automation, event.event),
            attempt: delivery.attempt,
            messageId: `${delivery.eventXid}-${delivery.eventNumber}-${automation.id}`,
            trace: event.trace,
          })
      // Aborted because the process ends: it is sent again.
      if (signal.aborted && !exchange.isSuccess) break
      const isLast = exchange.isSuccess || delivery.origin === "replay"
      const retryAt = isLast
        ? undefined
        : nextTry(automation, delivery.attempt, clock.now(), exchange.notBefore)
      const { referenceId, trace } = event
      this.#results.tried.push({ delivery, automation, exchange, referenceId, trace, retryAt })
      // The receiver sent Retry-After: its other deliveries wait.
      if (exchange.notBefore) break
    }
  }

  /** Writes the collected results; results that arrive during the write are collected for the next one. */
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

/** Schedules a run for each retry; retries that are due within a few seconds share one. */
async function wakeAt(tx: Tx, moments: readonly Temporal.Instant[]): Promise<void> {
  const slots = new Set(
    moments.map(({ epochMilliseconds }) => Math.ceil(epochMilliseconds / 1000 / retryWakeSeconds)),
  )
  for (const slot of [...slots].toSorted((one, other) => one - other)) {
    const runAt = Temporal.Instant.fromEpochMilliseconds(slot * retryWakeSeconds * 1000)
    await send(tx, deliverWebhooks, {}, { runAt, key: `webhook.deliver:${slot}` })
  }
}

/** The event name that the webhook was configured with. */
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
