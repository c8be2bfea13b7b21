import assert from "node:assert/strict"
import { test } from "node:test"
import { batchReads } from "./batch-reads.ts"

/** A reader whose statements return on command. */
function held() {
  const statements: { questions: readonly string[]; finish(): void; fail(reason: Error): void }[] = []
  const ask = batchReads<string, string>({
    keyOf: (question) => question,
    read: (questions) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(questions.map((question) => `${question} ${statements.length}`))
        statements.push({ questions, finish, fail: reject })
      }),
  })
  return { ask, statements }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test("reads of one event loop turn share a statement, equal ones are read once, each gets its own result", async () => {
  const { ask, statements } = held()
  const responses = Promise.all([ask("a"), ask("b"), ask("a")])
  await nextTurn()
  assert.deepEqual(
    statements.map(({ questions }) => questions),
    [["a", "b"]],
  )
  statements[0]?.finish()
  assert.deepEqual(await responses, ["a 1", "b 1", "a 1"])
})

test("a read never gets the result of a statement that was sent before it", async () => {
  const { ask, statements } = held()
  const first = ask("a")
  await nextTurn()
  const second = ask("a")
  await nextTurn()
  const third = ask("a")
  await nextTurn()
  assert.equal(statements.length, 2, "two on their way, the third one waits")
  statements[0]?.finish()
  await first
  statements[1]?.finish()
  await second
  await nextTurn()
  assert.equal(statements.length, 3)
  statements[2]?.finish()
  assert.equal(await third, "a 3")
})

test("a failed statement fails those who shared it, and the next one works", async () => {
  const { ask, statements } = held()
  const responses = Promise.allSettled([ask("a"), ask("b")])
  await nextTurn()
  statements[0]?.fail(new Error("connection lost"))
  assert.deepEqual(
    (await responses).map(({ status }) => status),
    ["rejected", "rejected"],
  )
  const again = ask("a")
  await nextTurn()
  statements[1]?.finish()
  assert.equal(await again, "a 2")
})

test("a statement that returns another number of results fails instead of mixing them up", async () => {
  const ask = batchReads<string, string>({ keyOf: (question) => question, read: async () => [] })
  await assert.rejects(ask("a"), /unexpected number/)
})
