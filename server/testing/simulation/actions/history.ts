import { type Action, aPlanner, during, once, type Step } from "../step.ts"
import { must } from "../violation.ts"
import { aBody, created, expectStatus } from "./creating.ts"
import { someParts, takeParts } from "./field.ts"

/** Calls that a client with a bad connection makes again long after the first one was answered. */
const repeatLate: Action = {
  name: "a call of earlier is sent again with its key, and its key with another body",
  weight: during(6, 20, 3),
  async run({ random, world, model }) {
    if (model.kept.length === 0) return
    const { person, path, body, headers, reply } = random.pick(model.kept)
    const again = await world.persist(random, person, (calls) => calls.post(path, body, headers))
    must(
      again.statusCode === reply.statusCode && again.body === reply.body,
      "a key gives the first response, however late",
      [reply.body.slice(0, 200), again.statusCode, again.body.slice(0, 200)],
    )
    const other = { ...(body as Record<string, unknown>), siteName: "Something else" }
    const misused = await world.ask(random, person, (calls) => calls.post(path, other, headers))
    expectStatus(misused, 409, "a key that was used for another request is refused")
  },
}

/** Several transactions at once: what they write is committed in another order than it was begun. */
const rush: Action = {
  name: "several people create tasks at the same time, while an integrator reads the feed",
  weight: during(6, 18, 2),
  async run(step) {
    const { random, world, feed } = step
    const calls = someTasks(step, random.integer(4, 8))
    let isOver = false
    const reading = (async () => {
      while (!isOver) await feed.readOn(step)
    })()
    try {
      const replies = await Promise.all(
        calls.map(({ planner, body, key }) =>
          world.ask(random, planner, (api) => api.post("/task", body, key)),
        ),
      )
      for (const [place, reply] of replies.entries()) {
        expectStatus(reply, 201, "a valid task is created")
        const call = calls[place]
        if (call) created(step, reply.json().task._id, call.body)
      }
    } finally {
      isOver = true
      await reading
    }
  },
}

/** What a phone kept while it had no connection is sent in its order, each call until it is answered. */
const phoneQueue: Action = {
  name: "a phone that was offline sends what it kept",
  weight: during(8, 20, 4),
  async run(step: Step) {
    const { random, world, model, company, index } = step
    const worker = random.pick(company.workers)
    const tasks = random.some(
      model.openTasksOf(worker).filter(({ status }) => status === "ONGOING"),
      2,
    )
    for (const task of tasks) {
      const changes = [
        { note: `on the way ${index}` },
        { boxes: random.integer(1, 30) },
        { note: `at the door ${index}`, boxes: random.integer(1, 30) },
        ...(random.chance(0.6) ? [{ status: "DONE", boxes: random.integer(1, 30), ...someParts(step) }] : []),
      ]
      for (const change of changes) {
        const reply = await world.persist(random, worker, (calls) => calls.patch(`/task/${task.id}`, change))
        // A repeated finish meets the first one's.
        const isRepeated = "status" in change && reply.statusCode === 400
        must(isRepeated || reply.statusCode === 200, "a phone's change is taken", [
          change,
          reply.body.slice(0, 300),
        ])
        if (change.note !== undefined) task.note = change.note
        if (change.boxes !== undefined) task.boxes = change.boxes
        if (!("status" in change)) continue
        takeParts(step, worker, change.parts ?? [])
        task.status = "DONE"
        model.happened("onTaskFinished", task)
      }
    }
  },
}

/** New tasks of several people, each of whom keeps the key of the call. */
function someTasks(step: Step, count: number) {
  return Array.from({ length: count }, () => {
    const { planner, hubId } = aPlanner(step)
    return { planner, body: aBody(step, hubId), key: once(step) }
  })
}

/** Clients of a process that is gone call again, and another node knows what had been done. */
const killNode: Action = {
  name: "a node is killed while people create tasks on it and its jobs run",
  weight: () => 2,
  async run(step) {
    const { random, world } = step
    const calls = someTasks(step, random.integer(2, 5))
    await world.kill(random, async (doomed) => {
      const jobs = await world.dueJobs(3)
      await Promise.allSettled([
        ...calls.map(({ planner, body, key }) => doomed.as(planner).post("/task", body, key)),
        ...jobs.map(({ name, payload }) => world.runNamed(name, payload, doomed)),
      ])
    })
    await createAll(step, calls)
    // What the dead process had leased is free once its heartbeat is old.
    await world.pass(random, 1)
  },
}

const deploy: Action = {
  name: "all nodes are replaced one after the other while people create tasks",
  weight: () => 1,
  async run(step) {
    const calls = someTasks(step, step.random.integer(2, 5))
    await Promise.all([step.world.replaceAll(), createAll(step, calls)])
  },
}

async function createAll(step: Step, calls: ReturnType<typeof someTasks>): Promise<void> {
  for (const { planner, body, key } of calls) {
    const reply = await step.world.persist(step.random, planner, (api) => api.post("/task", body, key))
    expectStatus(reply, 201, "a valid task is created")
    created(step, reply.json().task._id, body)
  }
}

const clockJump: Action = {
  name: "the clock of the machines is set some minutes ahead or back",
  weight: () => 1,
  async run({ random, world, model }) {
    const now = world.clock.now()
    if (!model.latestTime || Temporal.Instant.compare(now, model.latestTime) > 0) model.latestTime = now
    world.clock.move({ minutes: random.integer(1, 8) * (random.chance(0.5) ? 1 : -1) })
    await world.runQueue(random)
  },
}

export const historyActions: readonly Action[] = [repeatLate, rush, phoneQueue, killNode, deploy, clockJump]
