import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { pathToFileURL } from "node:url"
import { type PoolName, runInThread, ThreadStopped, type ThreadTask, threadCounts } from "./run-in-thread.ts"

/** What the tests have a thread do. */
type Order = "return" | "spin" | "fill" | "throw" | "exit" | { wait: Int32Array }

let folder = ""
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "fieldway-threads-"))
  await writeFile(
    join(folder, "orders.mjs"),
    `let runs = 0
     export default async (order, { report, shouldStop }) => {
       runs++
       if (order === "spin") for (;;);
       if (order === "fill") { const all = []; for (;;) all.push(new Array(1e6).fill(0)) }
       if (order === "throw") throw new Error("no such order")
       if (order === "exit") process.exit(3)
       if (order.wait) { report("waiting"); Atomics.wait(order.wait, 0, 0) }
       return { runs, stopped: shouldStop() }
     }`,
  )
})
after(() => rm(folder, { recursive: true, force: true }))

function task(pool: PoolName, seconds = 60): ThreadTask<Order, { runs: number; stopped: boolean }, string> {
  return { name: "the order", module: pathToFileURL(join(folder, "orders.mjs")), pool, seconds }
}

const forOne = { organizationId: "one" }
const stoppedBy = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof ThreadStopped)
  assert.deepEqual([error.reason, error.http], [reason, 503])
  return true
}

test("a thread is used again and stays alone", async () => {
  const first = await runInThread(task("quick"), "return", forOne)
  const second = await runInThread(task("quick"), "return", forOne)
  assert.deepEqual([first.runs, second.runs], [1, 2])
  assert.deepEqual(threadCounts("quick"), { idle: 1, running: 0, waiting: 0 })
})

test("a task that runs without end is terminated, and the next one works", async () => {
  await assert.rejects(runInThread(task("quick", 0.3), "spin", forOne), stoppedBy("time"))
  assert.deepEqual(threadCounts("quick"), { idle: 0, running: 0, waiting: 0 })
  assert.equal((await runInThread(task("quick"), "return", forOne)).runs, 1)
})

test("a task that fills the memory ends its thread and not the process", async () => {
  await assert.rejects(runInThread(task("passwords"), "fill", forOne), stoppedBy("memory"))
  assert.equal((await runInThread(task("passwords"), "return", forOne)).runs, 1)
})

test("a thread that failed or ended is replaced", async () => {
  for (const order of ["throw", "exit"] as const) {
    await assert.rejects(runInThread(task("quick"), order, forOne), stoppedBy("fault"))
    assert.deepEqual(threadCounts("quick"), { idle: 0, running: 0, waiting: 0 })
    assert.equal((await runInThread(task("quick"), "return", forOne)).runs, 1)
  }
})

test("ten tasks of one organization do not delay another's", async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const held = Array.from({ length: 10 }, () => runInThread(task("files"), { wait: gate }, forOne))
  await runInThread(task("files"), "return", { organizationId: "other" })
  assert.deepEqual(threadCounts("files"), { idle: 1, running: 1, waiting: 9 })
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  await Promise.all(held)
  assert.deepEqual(threadCounts("files").running, 0)
})

test("a caller who leaves ends the thread of a running task and the turn of a waiting one", async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const left = new AbortController()
  const started = Promise.withResolvers<string>()
  const running = runInThread(
    task("files"),
    { wait: gate },
    { ...forOne, signal: left.signal, onProgress: started.resolve },
  )
  const waiting = runInThread(task("files"), "spin", { ...forOne, signal: left.signal })
  assert.equal(await started.promise, "waiting")
  left.abort(new Error("the client left"))
  await assert.rejects(running, /the client left/)
  await assert.rejects(waiting, /the client left/)
  assert.deepEqual([threadCounts("files").running, threadCounts("files").waiting], [0, 0])
})

test("a task is asked to end early", async () => {
  const stop = AbortSignal.abort()
  assert.equal((await runInThread(task("quick"), "return", { ...forOne, stop })).stopped, true)
})

test("an input that no thread can take is an error and keeps no slot", async () => {
  const unsendable = { wait: new Int32Array(1), callback: () => undefined }
  await assert.rejects(runInThread(task("quick"), unsendable, forOne), /could not be cloned/)
  assert.equal(threadCounts("quick").running, 0)
  assert.equal((await runInThread(task("quick"), "return", forOne)).stopped, false)
})
