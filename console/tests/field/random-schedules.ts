import assert from "node:assert/strict"
import type { Stage } from "../stage.ts"
import { networkFaults } from "./faulty-network.ts"
import { aHubWithWorkers, type PhoneTask, readTask } from "./phone.ts"
import { SharedPhone } from "./shared-phone.ts"

const stepsPerSchedule = 4
/** Schedules with the same stops, after which all that was done is compared. */
const schedulesPerRound = 10

interface Range {
  start: number
  end: number
}

/** A small generator of numbers from 0 to 1 (mulberry32): a failure names its seed. */
function randomOf(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Stop {
  name: string
  taskId: string
}

/** One step of a schedule, chosen by a number from 0 to 1. */
async function step(phone: SharedPhone, random: () => number, stops: readonly Stop[]): Promise<void> {
  const chance = random()
  const note = (text: string): void => void phone.log.push(`${phone.worker.email}: ${text}`)
  if (chance < 0.55) {
    const shown = await phone.shownStops()
    const mine = stops.filter(
      ({ name, taskId }) =>
        shown.includes(name) &&
        !phone.finished.some((one) => one.taskId === taskId && one.by === phone.worker.email),
    )
    const stop = mine[Math.floor(random() * mine.length)]
    if (!stop) return note("sees no stop to finish")
    const [isFull, hasPhoto] = [random() < 0.15, random() < 0.2]
    note(`finishes ${stop.name}${hasPhoto ? " with a photo" : ""}${isFull ? " on a full disk" : ""}`)
    return phone.finish(stop.name, stop.taskId, { isFull, hasPhoto })
  }
  if (chance < 0.8) {
    const states = ["works", ...networkFaults] as const
    phone.network.state = states[Math.floor(random() * states.length)] ?? "cut"
    note(`the network ${phone.network.state}`)
  } else if (chance < 0.86) {
    note("the page is killed")
    await phone.kill()
  } else if (chance < 0.92) {
    const hours = Math.round(random() * 12) - 6
    note(`the clock is ${hours} h off`)
    await phone.setClock(hours)
  } else if (chance < 0.95) {
    note("the session ends")
    await phone.endSession()
  } else {
    note("signs out")
    await phone.switchPerson()
  }
}

/** Everything that was finished is on the server once: as the task's own entries, or attached to it. */
function compare(tasks: readonly PhoneTask[], { finished }: SharedPhone): void {
  for (const task of tasks) {
    const wanted = finished.filter(({ taskId }) => taskId === task._id)
    const own = task.status === "DONE" ? [{ ...task, values: task as Record<string, unknown> }] : []
    const found = [...own, ...(task.additions ?? [])].map(({ doneBy = "", doneTime, values }) => ({
      receivedBy: String(values.receivedBy),
      doneBy,
      doneTime: Date.parse(String(doneTime)),
      photos: Object.keys(values).filter((key) => /^proofPhoto_\d+_url$/.test(key)).length,
    }))
    const described = (receivedBy: string, by: string, photos: number) =>
      `${receivedBy} by ${by} with ${photos} photos`
    assert.deepEqual(
      found.map(({ receivedBy, doneBy, photos }) => described(receivedBy, doneBy, photos)).sort(),
      wanted.map(({ receivedBy, by, hasPhoto }) => described(receivedBy, by, hasPhoto ? 1 : 0)).sort(),
    )
    for (const { receivedBy, doneTime } of found) {
      const at = wanted.find((entry) => entry.receivedBy === receivedBy)?.at ?? 0
      assert.ok(Math.abs(doneTime - at) < 60_000, `${receivedBy}: ${new Date(doneTime)}`)
    }
  }
}

/** Phones at once: one waits for a network while another works. */
const phonesAtOnce = 3

/** Returns what failed. After a failure, a new phone goes on with the next round. */
export async function runSchedules(stage: Stage, seed: number, { start, end }: Range): Promise<unknown[]> {
  let next = start
  const takeRound = () => {
    const first = next
    next += schedulesPerRound
    return { first, count: Math.min(schedulesPerRound, end - first) }
  }
  const failures: unknown[] = []
  const usePhones = async () => {
    while (next < end) await runPhone(stage, seed, takeRound).catch((error) => failures.push(error))
  }
  const phones = Math.min(phonesAtOnce, Math.ceil((end - start) / schedulesPerRound))
  await Promise.all(Array.from({ length: phones }, usePhones))
  return failures
}

/** A phone and its two people do one round after the other, on which all that they did is compared. */
async function runPhone(
  stage: Stage,
  seed: number,
  takeRound: () => { first: number; count: number },
): Promise<void> {
  let round = takeRound()
  const names = [`ulla-${round.first}`, `vito-${round.first}`] as const
  const { workers, token, call, aDelivery } = await aHubWithWorkers(stage, names)
  let phone: SharedPhone | undefined
  for (; round.count > 0; round = takeRound()) {
    const { first, count } = round
    const stops: Stop[] = []
    for (let index = 0; index < 2 * count; index += 1) {
      const name = `Stop${2 * first + index}x`
      stops.push({ name, taskId: await aDelivery(name, workers) })
    }
    phone ??= await SharedPhone.open(stage, workers)
    try {
      await workThrough(phone, count, randomOf(seed + first), stops)
      const tasks = await Promise.all(stops.map(({ taskId }) => readTask(stage, token, taskId)))
      compare(tasks, phone)
      assert.ok(phone.finished.length > 0, "hardly anything was finished")
      assert.deepEqual(phone.troubles, [])
      for (const { _id, status } of tasks) if (status !== "DONE") await call("DELETE", `/task/${_id}`)
    } catch (error) {
      // The page stays open and shows how things stand; the way to the server would keep this process alive.
      await phone.network.close()
      throw new Error(`FIELD_SEED=${seed + first}: ${error}\n${phone.log.join("\n")}`, { cause: error })
    }
  }
  await phone?.close()
}

async function workThrough(
  phone: SharedPhone,
  count: number,
  random: () => number,
  stops: readonly Stop[],
): Promise<void> {
  phone.startRound()
  await phone.setClock(0)
  await phone.settle(true)
  for (let schedule = 0; schedule < count; schedule += 1) {
    for (let number = 0; number < stepsPerSchedule; number += 1) await step(phone, random, stops)
    await phone.settle(random() < 0.3)
  }
  await phone.switchPerson()
  await phone.settle(true)
}
