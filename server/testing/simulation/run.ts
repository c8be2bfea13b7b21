import { changingActions } from "./actions/changing.ts"
import { creatingActions } from "./actions/creating.ts"
import { fieldActions } from "./actions/field.ts"
import { adoptScheduled, fileActions } from "./actions/files.ts"
import { historyActions } from "./actions/history.ts"
import { otherActions } from "./actions/other.ts"
import {
  checkAnnouncements,
  checkDelivered,
  checkFeed,
  checkList,
  checkPositions,
  checkRecords,
  checkTrash,
  checkWebhooks,
} from "./checks.ts"
import { aCompany, type Company, type Member } from "./company.ts"
import { checkExports } from "./export-checks.ts"
import { checkField, checkMessages } from "./field-checks.ts"
import { checkNothingOpen, FeedReader } from "./history.ts"
import { checkLaws } from "./lists/list-laws.ts"
import { listsOf } from "./lists/list-reader.ts"
import { Model } from "./model.ts"
import { checkFilters, checkSums } from "./query-checks.ts"
import { type Random, randomOf } from "./random.ts"
import { checkReports } from "./report-checks.ts"
import { Resources } from "./resources.ts"
import type { Action, Step } from "./step.ts"
import { must, Violation } from "./violation.ts"
import { Watcher } from "./watcher.ts"
import { World } from "./world.ts"

export interface Order {
  seed: string
  hours: number
  /** Steps to take; others are left out, which changes nothing about the choices of those that are taken. */
  only?: ReadonlySet<number>
  /** Compares after every step, which shows sooner what went wrong. */
  checkEachStep?: boolean
  signal?: AbortSignal
}

export interface Outcome {
  operations: number
  faults: number
  checks: number
  /** Steps taken, as lines for people. */
  log: string[]
  taken: number[]
  failure: { rule: string; message: string; step: number } | undefined
}

const actions: readonly Action[] = [
  ...creatingActions,
  ...changingActions,
  ...otherActions,
  ...fileActions,
  ...historyActions,
  ...fieldActions,
]
/** Simulated time of day at which a run begins. */
const startHour = 7
/** The first hours try each kind of action again and again; what follows is as long as a working day. */
const firstSteps = 96
/** Steps between two comparisons of service and model: more once there is more to read, at last those of an hour. */
const stepsPerCheck = (index: number) => (index < firstSteps ? 12 : index < 240 ? 24 : 40)

/** One run: everything that happens follows from the order. Ends at the first violation. */
export async function simulate(order: Order): Promise<Outcome> {
  const world = await World.start()
  const outcome: Outcome = { operations: 0, faults: 0, checks: 0, log: [], taken: [], failure: undefined }
  const index = { now: 0 }
  try {
    await takeSteps(world, order, outcome, index)
  } catch (error) {
    const rule = error instanceof Violation ? error.rule : `unexpected: ${String(error).slice(0, 120)}`
    const message = error instanceof Violation ? error.message : String((error as Error)?.stack ?? error)
    outcome.failure = { rule, message, step: index.now }
  } finally {
    outcome.operations = world.operations
    outcome.faults = world.struck
    world.faults.end()
    await world.close()
  }
  return outcome
}

async function takeSteps(world: World, order: Order, outcome: Outcome, at: { now: number }): Promise<void> {
  const today = world.clock.now().toZonedDateTimeISO("UTC").add({ days: 1 })
  world.clock.move(today.with({ hour: startHour, minute: 0, second: 0 }).toInstant().toString())
  const company = await aCompany(world)
  const model = new Model()
  const watcher = new Watcher(world, company.org.owner)
  try {
    await followDay(
      { world, company, model, watcher, ...feedReaders(company), resources: new Resources() },
      order,
      outcome,
      at,
    )
  } finally {
    await watcher.close()
  }
}

function feedReaders({ members }: Company): Pick<Step, "feed" | "feedOf"> {
  const readers = new Map<Member, FeedReader>()
  const feedOf = (member: Member) => {
    const known =
      readers.get(member) ?? new FeedReader(member, `the ${member.part}'s feed has every event once`)
    readers.set(member, known)
    return known
  }
  const feed = new FeedReader(
    members[0] as Member,
    "an integration that reads on from its cursor gets every event once",
  )
  return { feed, feedOf }
}

type Place = Pick<Step, "world" | "company" | "model" | "watcher" | "feed" | "feedOf" | "resources">

async function followDay(place: Place, order: Order, outcome: Outcome, at: { now: number }): Promise<void> {
  const { world } = place
  const end = world.clock.now().add({ minutes: Math.round(order.hours * 60) })
  const last = order.only ? Math.max(...order.only) : Number.POSITIVE_INFINITY
  for (
    ;
    at.now <= last && Temporal.Instant.compare(world.clock.now(), end) < 0 && !order.signal?.aborted;
    at.now += 1
  ) {
    const random = randomOf(`${order.seed}/${at.now}`)
    const { hour } = world.clock.now().toZonedDateTimeISO("UTC")
    const isNight = hour < 5 || hour >= 21
    const minutes = isNight ? random.integer(10, 30) : random.integer(1, 2)
    const isTaken = order.only?.has(at.now) ?? true
    if (!isTaken) {
      world.clock.move({ minutes })
      continue
    }
    outcome.taken.push(at.now)
    const action = chooseAction(random, hour, at.now)
    const step: Step = {
      ...place,
      ...{ index: at.now, random },
      note: (line) => outcome.log.push(line),
    }
    step.note(`${at.now} ${world.clock.now().toString().slice(11, 16)} ${action.name}`)
    await action.run(step)
    if (at.now % 2 === 0) await checkDelivered(step)
    await place.feed.readOn(step)
    await world.pass(random, minutes)
    if (order.checkEachStep || (at.now + 1) % stepsPerCheck(at.now) === 0)
      outcome.checks += await checkAll(step)
  }
  const random = randomOf(`${order.seed}/end`)
  outcome.checks += await checkAll({ ...place, index: at.now, random, note: () => undefined }, true)
}

/** First each kind of action, then again in two of three steps, so that each kind happens; the others follow the hour. */
function chooseAction(random: Random, hour: number, index: number): Action {
  if (index < actions.length) return actions[index] as Action
  if (index < firstSteps && index % 3 > 0)
    return actions[Math.floor((index * 2) / 3) % actions.length] as Action
  const weights = actions.map((action) => action.weight(hour))
  let rest = random.number() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [place, weight] of weights.entries()) {
    rest -= weight
    if (rest < 0) return actions[place] as Action
  }
  return actions[0] as Action
}

/** Everything that people can read is what the model says. Returns how many comparisons were made. */
async function checkAll(step: Step, isLast = false): Promise<number> {
  const { random, company, world } = step
  await adoptScheduled(step)
  await checkAnnouncements(step)
  await checkNothingOpen(step)
  // Each reading collects the garbage of the process.
  if (isLast || (step.index + 1) % (2 * stepsPerCheck(step.index)) === 0) await step.resources.check(world)
  await step.feed.check(step)
  const members = isLast ? company.members : random.some(company.members, 2)
  for (const member of members) {
    await checkList(step, member)
    await checkFeed(step, member, isLast)
  }
  const [owner] = company.members
  const reader = isLast && owner ? owner : random.pick(company.members)
  const selections = await checkFilters(step, reader, isLast)
  await checkSums(step, reader)
  await checkTrash(step)
  await checkRecords(step)
  await checkPositions(step)
  await checkField(step)
  const lists = listsOf(world.routes)
  let laws = 0
  for (const list of isLast ? lists : random.some(lists, 2))
    laws += await checkLaws(
      list,
      (path) => world.ask(random, company.members[0] as Member, (calls) => calls.get(path)),
      random,
    )
  await checkReports(step)
  await checkExports(step)
  const checks = members.length + selections + laws + 12
  if (!isLast) return checks
  world.receiver.mood = "well"
  world.provider.failures.length = 0
  world.mails.hooks.isRefused = undefined
  await deliverAll(step)
  await adoptScheduled(step)
  await checkWebhooks(step)
  await checkMessages(step, true)
  return checks + 2
}

/** Endpoints that failed are tried again with growing pauses, which last up to eight hours. */
async function deliverAll({ world, random }: Step): Promise<void> {
  const isWaiting = async () => (await world.sql`select from webhook_deliveries limit 1`).length > 0
  for (let pass = 0; pass < 4 || (pass < 36 && (await isWaiting())); pass += 1) await world.pass(random, 60)
  const waiting = await world.sql`
    select state.*, origin, attempt, due_time from webhook_deliveries waiting
    left join webhook_endpoints state using (organization_id, automation_id) limit 3`
  must(waiting.length === 0, "no delivery waits once its receiver is well", JSON.stringify(waiting))
}
