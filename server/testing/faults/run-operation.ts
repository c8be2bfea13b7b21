import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import type { Blow, Counted, Fault, Step } from "./faults.ts"
import { checkInvariants, type Place } from "./invariants.ts"
import { aWorld, type Outcome, type World } from "./world.ts"

const isLong = Boolean(process.env.FIELDWAY_LONG)
/** More than any operation takes on a machine that is busy with other tests. */
const patienceMilliseconds = 60_000

/** Something of several steps that must happen once, completely or not at all, whichever step fails. */
export interface Operation<Scene extends Place> {
  name: string
  /** Creates what the operation needs, for each fault. */
  scene(world: World): Promise<Scene>
  /** The operation, and its retry: a call of the API, or jobs. It must not reuse what the first attempt returned. */
  act(scene: Scene, world: World): Promise<Outcome>
  /**
   * How often it has happened, as a person would notice: 0, 1, or more, or a fraction. Throws where it is half done
   * in a way that no number shows.
   */
  effects(scene: Scene, world: World): Promise<number>
  /** Refusals by which a retry says that it has happened before, such as 404 after a deletion. */
  repeated?: readonly number[]
  /** Places where further steps fail: servers that the operation calls. */
  places?(scene: Scene): readonly Counted[]
  /** Work of the queue that belongs to the operation, run after `act`, with faults, when it is an API call. */
  runsJobs?: boolean
  /** For work that a calendar repeats: what failed is logged and left to its next turn. */
  isRecurring?: true
  /** Status codes that a fault may cause besides 503 and success. */
  refusals?: readonly number[]
}

/** A test of its own for an operation. */
export function faultTest<Scene extends Place>(operation: Operation<Scene>): void {
  test(`whatever fails, it happens once or not at all: ${operation.name}`, async (t) => {
    await runOperation(t, await aWorld(), operation)
  })
}

/**
 * Runs the operation once to count its steps, then once for every fault at every step. The short run takes one fault at
 * each COMMIT, the lost response of the last one, and one fault elsewhere.
 */
async function runOperation<Scene extends Place>(
  t: TestContext,
  world: World,
  operation: Operation<Scene>,
): Promise<void> {
  const only = process.env.FAULT
  if (only) {
    await attempt(world, operation, parseFault(only))
    return
  }
  const steps = await attempt(world, operation, undefined)
  const faults = plan(operation, world, steps)
  for (const fault of faults) await attempt(world, operation, fault)
  t.diagnostic(`${operation.name}: ${steps.length} steps, ${faults.length} faults`)
}

/** `FAULT=database:7:after` runs one fault alone. */
function parseFault(text: string): Fault {
  const [kind, at, blow] = text.split(":")
  return { kind: kind as Fault["kind"], at: Number(at), blow: blow as Blow }
}

/** Places of operations, which depend on their scenes, by operation and kind. */
const placesOfOperations = new Map<string, Counted>()

function plan<Scene extends Place>(
  operation: Operation<Scene>,
  world: World,
  steps: readonly Step[],
): Fault[] {
  const counts = new Map<string, number>()
  const tried = steps.map(({ kind, text }) => {
    const at = (counts.get(kind) ?? 0) + 1
    counts.set(kind, at)
    const place =
      world.places.find((counted) => counted.kind === kind) ??
      placesOfOperations.get(`${operation.name}:${kind}`)
    return {
      isDecisive: place?.isDecisive(text) === true,
      faults: (place?.blows(text) ?? []).map((blow): Fault => ({ kind, at, blow })),
    }
  })
  if (isLong) return tried.flatMap(({ faults }) => faults)
  const random = seeded(operation.name)
  const oneOf = (faults: readonly Fault[]) => faults.slice(Math.floor(random() * faults.length)).slice(0, 1)
  const decisive = tried.filter(({ isDecisive }) => isDecisive)
  const lost = decisive.at(-1)?.faults.filter(({ blow }) => blow === "after") ?? []
  const others = tried.filter(({ isDecisive }) => !isDecisive).flatMap(({ faults }) => faults)
  return [...decisive.slice(0, -1).flatMap(({ faults }) => oneOf(faults)), ...lost, ...oneOf(others)]
}

/** Numbers from 0 to 1 that follow from a text: the short run tries the same faults each time. */
function seeded(text: string): () => number {
  let state = [...`${text}${process.env.FAULT_SEED ?? ""}`].reduce(
    (sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0,
    7,
  )
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

async function attempt<Scene extends Place>(
  world: World,
  operation: Operation<Scene>,
  fault: Fault | undefined,
): Promise<Step[]> {
  await world.sql`delete from graphile_worker._private_jobs`
  const scene = await operation.scene(world)
  for (const place of operation.places?.(scene) ?? [])
    placesOfOperations.set(`${operation.name}:${place.kind}`, place)
  world.faults.begin(fault)
  const outcome = await run(world, operation, scene)
  world.faults.end()
  const steps = world.faults.steps
  const words = fault
    ? `${operation.name}, FAULT=${fault.kind}:${fault.at}:${fault.blow} (${world.faults.struck?.text.slice(0, 160)})`
    : operation.name
  try {
    await judge(world, operation, scene, { outcome, isStruck: world.faults.struck !== undefined })
    // Without a fault as well: then only the response did not reach the caller.
    await retry(world, operation, scene)
  } catch (error) {
    throw new Error(`${words}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  return steps
}

interface Ran {
  reply: Outcome
  error: unknown
}

async function run<Scene extends Place>(
  world: World,
  operation: Operation<Scene>,
  scene: Scene,
): Promise<Ran> {
  try {
    const reply = await inTime(act(world, operation, scene))
    return { reply, error: undefined }
  } catch (error) {
    return { reply: undefined, error }
  }
}

async function act<Scene extends Place>(
  world: World,
  operation: Operation<Scene>,
  scene: Scene,
): Promise<Outcome> {
  const reply = await operation.act(scene, world)
  if (operation.runsJobs && (reply === undefined || reply.statusCode < 300)) await world.runJobs()
  return reply
}

class StillWaiting extends Error {}

/** A caller who waits forever is a fault as well, and the hardest to find. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const waiting = new AbortController()
  const late = pause(patienceMilliseconds, undefined, waiting).then(() => {
    throw new StillWaiting(`no response within ${patienceMilliseconds / 1000} s`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    waiting.abort()
  }
}

/** After one attempt: the response is true, and nothing is half done. */
async function judge<Scene extends Place>(
  world: World,
  operation: Operation<Scene>,
  scene: Scene,
  { outcome: { reply, error }, isStruck }: { outcome: Ran; isStruck: boolean },
): Promise<void> {
  if (error instanceof StillWaiting || (error !== undefined && !isStruck)) throw error
  const isLeft = isStruck && operation.isRecurring === true
  const isDone = error === undefined && !isLeft && (reply === undefined || reply.statusCode < 400)
  if (reply && !isDone) {
    const allowed = isStruck ? [503, ...(operation.refusals ?? [])] : []
    assert.ok(allowed.includes(reply.statusCode), `answered ${reply.statusCode}: ${reply.body.slice(0, 300)}`)
    assert.doesNotMatch(
      reply.body,
      /select |insert |update |ECONN|CONNECTION_|ETIMEDOUT|out of memory|statement timeout/,
      "internals in the response",
    )
  }
  const effects = await operation.effects(scene, world)
  if (isDone) assert.equal(effects, 1, "answered as done")
  else assert.ok(effects === 0 || effects === 1, `half done: ${effects}`)
  await checkInvariants(world, scene, { isSettled: false })
}

/** The same again, without faults: it succeeds, or says that it has happened, and has happened once. */
async function retry<Scene extends Place>(
  world: World,
  operation: Operation<Scene>,
  scene: Scene,
): Promise<void> {
  const before = await operation.effects(scene, world)
  const reply = await inTime(operation.act(scene, world))
  const accepted = before === 1 ? (operation.repeated ?? []) : []
  if (reply)
    assert.ok(
      reply.statusCode < 300 || accepted.includes(reply.statusCode),
      `the retry was answered ${reply.statusCode}: ${reply.body.slice(0, 300)}`,
    )
  if (operation.runsJobs) await world.runJobs({ twice: true })
  assert.equal(await operation.effects(scene, world), 1, "after the retry")
  await checkInvariants(world, scene, { isSettled: true })
}
