import assert from "node:assert/strict"
import { test } from "node:test"
import { AppError } from "../errors.ts"
import { createFairSlots, type FairSlots } from "./fair-slots.ts"

const options = { slots: 3, perKey: 2, waitingPerKey: 10, waitMilliseconds: 60_000 }

/** Takes a slot for a key and notes when it was given. */
function take(slots: FairSlots, key: string, given: string[]): Promise<void> {
  return slots.take(key).then(() => void given.push(key))
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test("one organization never holds every slot", () => {
  const slots = createFairSlots(options)
  assert.deepEqual([slots.tryTake("a"), slots.tryTake("a"), slots.tryTake("a")], [true, true, false])
  assert.equal(slots.tryTake("b"), true)
  assert.equal(slots.tryTake("c"), false)
  assert.equal(slots.running, 3)
})

test("an organization that is alone is lent slots, and gives them back when another one comes", async (t) => {
  let now = 0
  t.mock.method(performance, "now", () => now)
  const slots = createFairSlots({ ...options, slots: 8, perKey: 3, perKeyShared: 2 })
  const takeAll = () => [slots.tryTake("a"), slots.tryTake("a"), slots.tryTake("a"), slots.tryTake("a")]
  assert.deepEqual(takeAll(), [true, true, true, false])
  assert.equal(slots.tryTake("b"), true)
  slots.release("b")
  slots.release("a")
  assert.equal(slots.tryTake("a"), false)
  const given: string[] = []
  const waiting = take(slots, "a", given)
  slots.release("a")
  await waiting
  assert.equal(slots.running, 2)
  now = 1_500
  assert.deepEqual([slots.tryTake("a"), slots.tryTake("a")], [true, false])
})

test("ten waiting tasks of one organization delay another's by one turn", async () => {
  const slots = createFairSlots({ ...options, slots: 1, perKey: 1 })
  const given: string[] = []
  await slots.take("a")
  const waiting = Array.from({ length: 10 }, () => take(slots, "a", given))
  waiting.push(take(slots, "b", given))
  slots.release("a")
  await settled()
  slots.release("a")
  await settled()
  assert.deepEqual(given, ["a", "b"])
  slots.release("b")
  for (let left = 9; left > 0; left--) {
    await settled()
    slots.release("a")
  }
  await Promise.all(waiting)
  assert.deepEqual([slots.running, slots.waiting], [0, 0])
})

test("a slot is refused when too many wait, and after waiting too long", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const slots = createFairSlots({ ...options, slots: 1, waitingPerKey: 1, waitMilliseconds: 5_000 })
  await slots.take("a")
  const waiting = slots.take("a")
  const refusal = assert.rejects(slots.take("a"), (error) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual([error.http, error.headers?.["retry-after"]], [429, "1"])
    return true
  })
  await refusal
  t.mock.timers.tick(5_000)
  await assert.rejects(waiting, (error) => error instanceof AppError && error.http === 503)
  assert.equal(slots.waiting, 0)
})

test("who leaves while waiting takes no slot", async () => {
  const slots = createFairSlots({ ...options, slots: 1 })
  await slots.take("a")
  const left = new AbortController()
  const waiting = slots.take("b", left.signal)
  left.abort(new Error("gone"))
  await assert.rejects(waiting, /gone/)
  slots.release("a")
  assert.deepEqual([slots.running, slots.waiting], [0, 0])
  assert.equal(slots.tryTake("c"), true)
})
