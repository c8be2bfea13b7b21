import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { aFolder } from "#packages/spreadsheets/fixtures/files.ts"
import { hashOf } from "./file-keys.ts"
import { createLineStore } from "./line-store.ts"

test("lines wait by key in any number and length, and come out in their order", async (t) => {
  const store = await createLineStore(join(aFolder(t), "lines"))
  t.after(() => store.close())
  const key = (number: number) => hashOf(`key ${number % 1_500}`)
  const lineOf = (number: number) => `${number} é${number % 97 === 0 ? "x".repeat(90_000) : ""}`
  const numbers = Array.from({ length: 4_000 }, (_, number) => number)
  for (const number of numbers) await store.add(key(number), lineOf(number))
  for (const number of [0, 97, 1_499])
    assert.deepEqual(
      await store.take(key(number), 10),
      numbers.filter((one) => one % 1_500 === number).map(lineOf),
    )
  assert.deepEqual(await store.take(key(97), 10), [], "taken once")
  assert.deepEqual(await store.take(hashOf("unknown"), 10), [])
  const rest = await Array.fromAsync(store.rest(2))
  assert.equal(rest.length, 1_497)
  assert.deepEqual(rest[0], [lineOf(1), lineOf(1_501)])
})
