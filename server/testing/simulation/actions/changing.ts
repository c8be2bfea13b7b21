import type { Company, Member } from "../company.ts"
import { type ModelTask, workersIn } from "../model.ts"
import type { Random } from "../random.ts"
import { type Action, aPlanner, during, once, type Step } from "../step.ts"
import { must } from "../violation.ts"
import { applyBody, cities, expectStatus, sites, type TaskBody } from "./creating.ts"

const isOpen = ({ status }: ModelTask) => status !== "DONE"

/** A member who may plan, with one of the tasks that this member sees. */
function aTaskToPlan(step: Step, isFit = isOpen) {
  const { planner } = aPlanner(step)
  const fit = step.model.tasksOf(planner).filter(isFit)
  return fit.length > 0 ? { planner, task: step.random.pick(fit) } : undefined
}

const change: Action = {
  name: "change values of a task, and of one with a refId",
  weight: during(6, 20, 8),
  async run(step) {
    await changeValues(step, aTaskToPlan(step))
    await changeValues(
      step,
      aTaskToPlan(step, (task) => isOpen(task) && task.refId !== null),
    )
  },
}

async function changeValues(step: Step, chosen: ReturnType<typeof aTaskToPlan>): Promise<void> {
  if (!chosen) return
  const { random, world } = step
  const { planner, task } = chosen
  const body: Partial<TaskBody> = random.pick([
    { siteName: `${random.pick(sites)} ${step.index}` },
    { boxes: random.integer(0, 9) },
    { boxes: null },
    { city: random.pick(cities), note: "changed" },
  ])
  const reply = await world.persist(random, planner, (calls) => calls.patch(`/task/${task.id}`, body))
  expectStatus(reply, 200, "an open task can be changed")
  applyBody(task, body)
}

const changeTogether: Action = {
  name: "two people change different values of one task at the same time",
  weight: during(6, 20, 3),
  async run(step) {
    const { random, world, company } = step
    const chosen = aTaskToPlan(step)
    if (!chosen) return
    const { planner, task } = chosen
    // One update in several is lost without a lock, so that it takes a few attempts.
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [{ note: `note ${step.index}.${round}` }, { city: `city ${step.index}.${round}` }]
      const replies = await Promise.all([
        world.ask(random, planner, (calls) => calls.patch(`/task/${task.id}`, one)),
        world.ask(random, company.org.owner, (calls) => calls.patch(`/task/${task.id}`, other)),
      ])
      for (const reply of replies) expectStatus(reply, 200, "an open task can be changed")
      applyBody(task, { ...one, ...other })
      const shown = await world.ask(random, planner, (calls) => calls.get(`/task/${task.id}`))
      const { note, city } = shown.json().task
      must(note === one.note && city === other.city, "two changes at the same time are both kept", {
        note,
        city,
      })
    }
  },
}

const assign: Action = {
  name: "assign a task, and another one to two people",
  weight: during(6, 18, 6),
  async run(step) {
    for (const count of [step.random.integer(1, 2), 2]) {
      const chosen = aTaskToPlan(
        step,
        (task) => isOpen(task) && workersIn(step.company, task.hubId).length >= count,
      )
      if (!chosen) continue
      const people = workersIn(step.company, chosen.task.hubId)
      await assignTo(
        step,
        chosen,
        step.random.some(people, count).map(({ email }) => email),
      )
    }
  },
}

const release: Action = {
  name: "take a task from its people",
  weight: during(6, 18, 2),
  async run(step) {
    const chosen = aTaskToPlan(step, ({ status }) => status === "ONGOING")
    if (chosen) await assignTo(step, chosen, [])
  },
}

async function assignTo(
  { random, world }: Step,
  { planner, task }: { planner: Member; task: ModelTask },
  assignee: string[],
): Promise<void> {
  const isBulk = random.chance(0.4)
  const reply = await world.persist(random, planner, (calls) =>
    isBulk
      ? calls.put("/tasks/bulk/assign", { tasks: [{ _id: task.id, assignee }] })
      : calls.put(`/task/${task.id}/assign`, { assignee }),
  )
  expectStatus(reply, 200, "an open task can be assigned")
  if (isBulk) must(reply.json().success === 1, "an open task can be assigned", reply.body.slice(0, 200))
  task.assignee = assignee
  task.status = assignee.length > 0 ? "ONGOING" : "UNASSIGNED"
}

const move: Action = {
  name: "move a task to another hub",
  weight: during(6, 18, 3),
  async run(step) {
    const { random, world } = step
    const chosen = aTaskToPlan(step)
    if (!chosen) return
    const { planner, task } = chosen
    const others = planner.hubIds.filter((id) => id !== task.hubId)
    const hubId = others.length > 0 ? random.pick(others) : task.hubId
    const reply = await world.persist(random, planner, (calls) =>
      calls.put(`/task/${task.id}/move`, { hubId }),
    )
    expectStatus(reply, 200, "an open task can be moved")
    task.hubId = hubId
  },
}

const remove: Action = {
  name: "delete tasks",
  weight: during(6, 20, 4),
  async run(step) {
    const { random, world, model } = step
    const { planner } = aPlanner(step)
    const chosen = random.some(model.openTasksOf(planner), random.integer(1, 3))
    if (chosen.length === 0) return
    const key = once(step)
    const reply = await world.persist(random, planner, (calls) =>
      calls.delete("/tasks/bulk", { tasks: chosen.map(({ id }) => ({ _id: id })) }, key),
    )
    expectStatus(reply, 200, "open tasks can be deleted")
    const items = reply.json().tasks as { status: boolean; failedCode?: string }[]
    // A repeated call, after a response that was lost, finds that they are gone.
    const isRepeated = items.every(({ failedCode }) => failedCode === "task-033")
    must(
      isRepeated || reply.json().success === chosen.length,
      "open tasks can be deleted",
      reply.body.slice(0, 300),
    )
    for (const task of chosen) {
      task.isDeleted = true
      model.happened("onTaskDeleted", task)
    }
  },
}

const restore: Action = {
  name: "restore a deleted task",
  weight: during(6, 20, 3),
  async run(step) {
    const { random, world, model, company } = step
    const gone = [...model.tasks.values()].filter(({ isDeleted }) => isDeleted)
    if (gone.length === 0) return
    const task = random.pick(gone)
    const { owner } = company.org
    const list = await world.ask(random, owner, (calls) => calls.get("/trash?type=Task&limit=10000"))
    const entries = list.json().data as { _id: string; sourceId: string }[]
    const entry = entries.find(({ sourceId }) => sourceId === task.id)
    must(entry !== undefined, "what was deleted is in the trash", task.id)
    const key = once(step)
    const reply = await world.persist(random, owner, (calls) =>
      calls.post(`/trash/${entry?._id}/restore`, {}, key),
    )
    expectStatus(reply, 200, "what was deleted can be restored")
    task.isDeleted = false
    // Integrations that keep a copy learn that it exists again.
    model.happened("onTaskCreated", task)
  },
}

const finish: Action = {
  name: "finish a task, now and then by two people at the same time",
  weight: during(8, 20, 9),
  async run(step) {
    const { random, world, model, company } = step
    const open = model
      .liveTasks()
      .filter(({ status, assignee }) => status === "ONGOING" && assignee.length > 0)
    if (open.length === 0) return
    const task = random.pick(open)
    const people = company.workers.filter(
      ({ email, hubIds }) => task.assignee.includes(email) && hubIds.includes(task.hubId),
    )
    if (people.length === 0) return
    const body = { status: "DONE", boxes: random.integer(0, 20) }
    if (people.length > 1 && random.chance(0.5)) {
      const replies = await Promise.all(
        people.map((person, place) =>
          world.ask(random, person, (calls) =>
            calls.patch(`/task/${task.id}`, { status: "DONE", boxes: place }),
          ),
        ),
      )
      const done = replies.filter(({ statusCode }) => statusCode === 200)
      must(
        done.length >= 1,
        "one of two who finish at the same time succeeds",
        replies.map(({ body: text }) => text.slice(0, 200)),
      )
      task.boxes = await shownBoxes(step, task)
      must(
        task.boxes !== null && task.boxes < people.length,
        "a finished task has the values of one of them",
        task.boxes,
      )
    } else {
      const reply = await world.persist(random, random.pick(people), (calls) =>
        calls.patch(`/task/${task.id}`, body),
      )
      // A repeated finish meets the first one's: it is refused, or added to it. Either way it happened once.
      must(
        [200, 400].includes(reply.statusCode),
        "an assigned task can be finished",
        reply.body.slice(0, 300),
      )
      task.boxes = body.boxes
    }
    task.status = "DONE"
    model.happened("onTaskFinished", task)
  },
}

async function shownBoxes({ random, world, company }: Step, task: ModelTask): Promise<number | null> {
  const reply = await world.ask(random, company.org.owner, (calls) => calls.get(`/task/${task.id}`))
  return reply.json().task.boxes as number | null
}

/** Members of a hub for whom a task does not exist. */
function blindTo({ members }: Company, task: ModelTask, random: Random) {
  const blind = members.filter(
    (member) =>
      !member.hubIds.includes(task.hubId) ||
      (member.part === "worker" && !task.assignee.includes(member.email)),
  )
  return blind.length > 0 ? random.pick(blind) : undefined
}

const refusedCodes = [400, 403, 404, 409, 412]

const trespass: Action = {
  name: "people try what is not theirs",
  weight: () => 4,
  async run(step) {
    const { random, world, model, company } = step
    const tasks = model.liveTasks()
    if (tasks.length === 0) return
    const task = random.pick(tasks)
    for (const who of [company.stranger.person, blindTo(company, task, random)]) {
      if (!who) continue
      const attempts = [
        await world.ask(random, who, (calls) => calls.get(`/task/${task.id}`)),
        await world.ask(random, who, (calls) => calls.patch(`/task/${task.id}`, { note: "mine" })),
        await world.ask(random, who, (calls) => calls.delete(`/task/${task.id}`)),
      ]
      for (const reply of attempts)
        must(
          [403, 404].includes(reply.statusCode),
          "nobody reaches what is not theirs",
          `${reply.statusCode} ${reply.body.slice(0, 200)}`,
        )
    }
    const own = await world.ask(random, random.pick(company.members), (calls) =>
      calls.get(`/task/${company.stranger.taskId}`),
    )
    must(
      [403, 404].includes(own.statusCode),
      "nobody reaches another organization's task",
      own.body.slice(0, 200),
    )
  },
}

const workOfOthers: Action = {
  name: "a helper who sees a task works on it for its worker",
  weight: during(8, 20, 2),
  async run({ random, world, model, company }) {
    const helper = company.members.find(({ part }) => part === "helper") as Member
    const open = model.openTasksOf(helper).filter(({ status }) => status === "ONGOING")
    if (open.length === 0) return
    const task = random.pick(open)
    for (const body of [{ note: "mine" }, { status: "DONE" }]) {
      const reply = await world.ask(random, helper, (calls) => calls.patch(`/task/${task.id}`, body))
      must(
        refusedCodes.includes(reply.statusCode),
        "only its people and planners work on a task",
        `${reply.statusCode} ${reply.body.slice(0, 200)}`,
      )
    }
  },
}

const changeLate: Action = {
  name: "a planner changes a task that was changed or finished meanwhile",
  weight: during(6, 20, 3),
  async run(step) {
    const { random, world } = step
    const chosen = aTaskToPlan(step, () => true)
    if (!chosen) return
    const { planner, task } = chosen
    const note = `late ${step.index}`
    if (task.status !== "DONE") {
      const shown = await world.ask(random, planner, (calls) => calls.get(`/task/${task.id}`))
      const changed = await world.ask(random, planner, (calls) => calls.patch(`/task/${task.id}`, { note }))
      expectStatus(changed, 200, "an open task can be changed")
      applyBody(task, { note })
      const match = { "if-match": String(shown.headers.etag) }
      const late = await world.ask(random, planner, (calls) =>
        calls.patch(`/task/${task.id}`, { note: "lost" }, match),
      )
      expectStatus(late, 412, "a change of an older state is refused")
      return
    }
    const late = await world.ask(random, planner, (calls) => calls.patch(`/task/${task.id}`, { note }))
    must(
      refusedCodes.includes(late.statusCode),
      "a finished task is not changed",
      `${late.statusCode} ${late.body.slice(0, 200)}`,
    )
  },
}

export const changingActions: readonly Action[] = [
  change,
  changeTogether,
  assign,
  release,
  move,
  remove,
  restore,
  finish,
  workOfOthers,
  changeLate,
  trespass,
]
