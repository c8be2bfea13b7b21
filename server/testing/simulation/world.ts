import { runJob } from "#core/jobs/define-job.ts"
import type { Person } from "#samples/builders.ts"
import { aFakeProvider } from "../../features/customers/messages/fixtures/fake-provider.ts"
import { listenForTrackers } from "../../features/location/trackers/tracker-device.fixture.ts"
import { jobs } from "../../jobs.ts"
import { type Blow, type Fault, Faults } from "../faults/faults.ts"
import { stepLine } from "../faults/step-line.ts"
import { stepObjects } from "../faults/step-objects.ts"
import { aMailServer } from "../services/mail-server.ts"
import { type AppNode, type Calls, type Reply, type StartedApp, startApp } from "../start-app.ts"
import type { Random } from "./random.ts"
import { type Receiver, startReceiver } from "./receiver.ts"
import { must, Violation } from "./violation.ts"

type Provider = Awaited<ReturnType<typeof aFakeProvider>>
type Mails = Awaited<ReturnType<typeof aMailServer>>
type Trackers = Awaited<ReturnType<typeof listenForTrackers>>

export interface EndedNode {
  how: "killed" | "replaced"
  app: WeakRef<AppNode["app"]>
}

/** How a client makes a call: `calls` are those of the chosen node and person. */
export type Ask = (calls: Calls) => Promise<Reply>

/**
 * The whole service on one clock: two nodes and one that listens for trackers, their database, object store and queue, a
 * receiver of webhooks, a provider of short messages and a mail server.
 */
export class World {
  readonly #app: StartedApp
  readonly #nodes: AppNode[]
  readonly faults: Faults
  readonly receiver: Receiver
  /** Sends short messages to customers. */
  readonly provider: Provider
  readonly mails: Mails
  readonly trackers: Trackers
  /** Faults that struck, by what they struck. */
  struck = 0
  /** Nodes that died or were replaced: nothing may hold on to them. */
  readonly ended: EndedNode[] = []
  operations = 0

  readonly #ends: readonly (() => unknown)[]

  private constructor(
    app: StartedApp,
    nodes: AppNode[],
    others: Pick<World, "faults" | "receiver" | "provider" | "mails" | "trackers">,
    ends: readonly (() => unknown)[],
  ) {
    this.#app = app
    this.#nodes = nodes
    this.faults = others.faults
    this.receiver = others.receiver
    this.provider = others.provider
    this.mails = others.mails
    this.trackers = others.trackers
    this.#ends = ends
  }

  static async start(): Promise<World> {
    const faults = new Faults()
    const receiver = await startReceiver()
    const ends: (() => unknown)[] = []
    const until = { after: (end: () => unknown) => void ends.push(end) }
    const mails = await aMailServer(until)
    const app = await startApp(
      { WEBHOOK_ALLOW: "127.0.0.1", MAIL_URL: mails.url },
      {
        database: (url) => stepLine(url, faults),
        objects: (objects) => stepObjects(objects, faults),
      },
    )
    const nodes = [await app.startNode(), await app.startNode()]
    for (const node of nodes) await listen(node)
    const provider = await aFakeProvider(until)
    const trackers = await listenForTrackers(app, ["teltonika"], { clock: app.clock })
    return new World(app, nodes, { faults, receiver, provider, mails, trackers }, [
      () => trackers.close(),
      ...ends,
    ])
  }

  get sql() {
    return this.#app.sql
  }

  get clock() {
    return this.#app.clock
  }

  /** Everything that can be called. */
  get routes() {
    return this.#app.app.routeTable.routes()
  }

  /** One of the nodes, as a load balancer chooses. */
  node(random: Random): AppNode {
    return random.pick(this.#nodes)
  }

  /** Where the older of the nodes listens. */
  address(): string {
    const place = this.#nodes[0]?.app.server.address()
    return `http://127.0.0.1:${typeof place === "object" ? place?.port : 0}`
  }

  /**
   * A further node dies while `work` uses it, as a killed process does: at one of its statements all its connections break,
   * nothing is cleaned up, and what it had in memory is gone.
   */
  async kill(random: Random, work: (doomed: AppNode) => Promise<unknown>): Promise<void> {
    const faults = new Faults()
    const line = await stepLine(this.#app.databaseUrl, faults)
    const doomed = await this.#app.startNode(line.url)
    faults.begin({ kind: "database", at: random.integer(1, 60), blow: "away" })
    await work(doomed)
    await line.close()
    await doomed.close()
    this.struck += 1
    this.ended.push({ how: "killed", app: new WeakRef(doomed.app) })
  }

  /** All nodes are replaced one after the other, as by a deployment. */
  async replaceAll(): Promise<void> {
    for (const place of this.#nodes.keys()) await this.#replace(place)
  }

  /** A node ends and another takes its place. */
  async restart(random: Random): Promise<void> {
    await this.#replace(random.integer(0, this.#nodes.length - 1))
  }

  async #replace(index: number): Promise<void> {
    const fresh = await this.#app.startNode()
    await listen(fresh)
    const old = this.#nodes.splice(index, 1, fresh)[0]
    if (!old) return
    await old.close()
    this.ended.push({ how: "replaced", app: new WeakRef(old.app) })
  }

  /** A call without faults. */
  async ask(random: Random, person: Person, ask: Ask): Promise<Reply> {
    this.operations += 1
    const reply = await ask(this.node(random).as(person))
    return this.#plausible(reply)
  }

  /**
   * A call that may meet a fault. A client whose call has no certain outcome repeats it, as clients do, and learns what
   * happened; the last attempts meet no fault.
   */
  async persist(
    random: Random,
    person: Person,
    ask: Ask,
    fault: Fault | undefined = random.chance(0.3) ? this.#aFault(random) : undefined,
  ): Promise<Reply> {
    this.operations += 1
    if (fault) this.faults.begin(fault)
    let reply = await ask(this.node(random).as(person)).catch((error: unknown) => error)
    if (fault) {
      this.faults.end()
      if (this.faults.struck) this.struck += 1
    }
    for (let tries = 1; isUncertain(reply); tries += 1) {
      must(tries < 6, "a call is answered once the faults are over", String((reply as Reply)?.body ?? reply))
      // The first attempt may still run: wait for it.
      await new Promise((resolve) => setTimeout(resolve, 20 * tries))
      reply = await ask(this.node(random).as(person)).catch((error: unknown) => error)
    }
    return this.#plausible(reply as Reply)
  }

  /** Work of other clients, which may meet a fault and tries again by itself. */
  async withFault(random: Random, work: () => Promise<void>): Promise<void> {
    this.operations += 1
    if (random.chance(0.3)) this.faults.begin(this.#aFault(random))
    try {
      await work()
    } finally {
      this.faults.end()
      if (this.faults.struck) this.struck += 1
    }
  }

  #plausible(reply: Reply): Reply {
    must(
      reply.statusCode < 500,
      "no call ends with a server error",
      `${reply.statusCode} ${reply.body.slice(0, 300)}`,
    )
    return reply
  }

  #aFault(random: Random): Fault {
    const blows: Blow[] = ["before", "after", "error", "away", "timeout"]
    const blow = random.pick(blows)
    if (random.chance(0.15)) return { kind: "objects", at: random.integer(1, 3), blow }
    return { kind: "database", at: random.integer(1, 20), blow }
  }

  /** Time passes; what is due in the queue and on the calendar of jobs runs, some of it with faults. */
  async pass(random: Random, minutes: number): Promise<void> {
    const before = this.clock.now()
    this.clock.move({ minutes })
    // Heartbeats have PostgreSQL's own time, which does not pass: what was left by a run that failed gets old all the same.
    await this.sql`update worker_heartbeats set seen_at = seen_at - make_interval(mins => ${minutes})`
    const now = this.clock.now()
    const crossed = (every: number) =>
      Math.floor(before.epochMilliseconds / 60_000 / every) <
      Math.floor(now.epochMilliseconds / 60_000 / every)
    const due = jobs.filter(({ cron }) => cron !== undefined && crossed(minutesBetween(cron)))
    for (const { name } of due) await this.runNamed(name, {})
    await this.runQueue(random, 0.1)
  }

  /** Runs a job now, on the older node unless another is named. */
  async runNamed(name: string, payload: unknown, node = this.#nodes[0] as AppNode): Promise<void> {
    const job = jobs.find((candidate) => candidate.name === name)
    if (!job) throw new Violation("every queued job has a handler", name)
    await runJob(job, payload, node.jobContext)
  }

  /** The first jobs that are due, in the order in which they run. */
  async dueJobs(count: number): Promise<{ id: string; name: string; payload: unknown }[]> {
    return this.sql<{ id: string; name: string; payload: unknown }[]>`
      select jobs.id::text, tasks.identifier as name, jobs.payload
      from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where jobs.run_at <= ${this.clock.now()} and jobs.key is distinct from 'audit-log.seal'
      order by jobs.priority, jobs.run_at, jobs.id limit ${count}`
  }

  /** One due job after the other until none is left; a job that fails is tried again, and must succeed without faults. */
  async runQueue(random: Random, faultShare = 0): Promise<void> {
    const failures = new Map<string, number>()
    for (let count = 0; ; count += 1) {
      must(count < 2_000, "the queue becomes empty")
      const [next] = await this.dueJobs(1)
      if (!next) return
      const failed = failures.get(next.id) ?? 0
      const fault = failed === 0 && random.chance(faultShare) ? this.#aFault(random) : undefined
      // Sent again while it runs, it must not be taken for the one that runs.
      await this.sql`update graphile_worker._private_jobs set key = null where id = ${next.id}`
      if (fault) this.faults.begin(fault)
      try {
        await this.runNamed(next.name, next.payload)
        await this.sql`delete from graphile_worker._private_jobs where id = ${next.id}`
      } catch (error) {
        failures.set(next.id, failed + 1)
        must(failed < 4, "a job succeeds once the faults are over", `${next.name}: ${String(error)}`)
      } finally {
        if (fault) this.faults.end()
        if (fault && this.faults.struck) this.struck += 1
      }
    }
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end()
    for (const node of this.#nodes) await node.close()
    await this.#app.close()
    await this.receiver.close()
  }
}

async function listen(node: AppNode): Promise<void> {
  await node.app.listen({ port: 0, host: "127.0.0.1" })
}

/** The outcome is not known, or the response asks the client to try again. */
function isUncertain(reply: unknown): boolean {
  if (reply instanceof Error || typeof reply !== "object" || reply === null) return true
  const { statusCode } = reply as Reply
  return statusCode === 503 || statusCode === 429
}

/** How often a job of the calendar runs, from its five fields; hours are the longest that a simulated day needs. */
function minutesBetween(cron: string): number {
  const [minute = "*", hour = "*"] = cron.split(" ")
  if (minute === "*") return 5
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (step) return Math.max(5, Number(step))
  return hour === "*" ? 60 : 24 * 60
}
