import type { Reply } from "../start-app.ts"
import { type Member, watchedEvents } from "./company.ts"
import type { ModelTask } from "./model.ts"
import type { Step } from "./step.ts"
import { must, mustMatch } from "./violation.ts"

export type WireTask = Record<string, unknown> & {
  _id: string
  hubId: string
  status: string
  assignee: string[]
}

/** What a reader notices of a task. */
const lineOf = (task: Omit<ModelTask, "isDeleted" | "startTime" | "phone">) =>
  JSON.stringify([
    task.id,
    task.hubId,
    task.status,
    [...task.assignee].toSorted(),
    task.siteName,
    task.boxes,
    task.city ?? "",
    task.note ?? "",
    task.refId ?? "",
  ])

export const lineOfWire = (task: WireTask) =>
  lineOf({
    id: task._id,
    hubId: task.hubId,
    status: task.status as ModelTask["status"],
    assignee: task.assignee ?? [],
    siteName: String(task.siteName),
    boxes: (task.boxes ?? null) as number | null,
    city: (task.city ?? null) as string | null,
    note: (task.note ?? null) as string | null,
    refId: (task.refId ?? null) as string | null,
  })

/** A call that must succeed, without faults. */
export async function read(step: Step, member: Member, path: string): Promise<Reply> {
  const reply = await step.world.ask(step.random, member, (calls) => calls.get(path))
  must(
    reply.statusCode === 200,
    "a valid list is answered",
    `${path}: ${reply.statusCode} ${reply.body.slice(0, 200)}`,
  )
  return reply
}

/** The whole list of a member: the tasks of the model that this member sees, their counts, and nothing else. */
export async function checkList(step: Step, member: Member): Promise<WireTask[]> {
  const reply = await read(step, member, "/tasks?limit=10000&sortBy=createdTime&sortOrder=asc")
  const { tasks, metadata } = reply.json() as {
    tasks: { data: WireTask[]; total: number }
    metadata: { counting: { doneTotal: number; ongoingTotal: number } }
  }
  const expected = step.model.tasksOf(member)
  mustMatch(tasks.data.map(lineOfWire), expected.map(lineOf), `the ${member.part}'s task list is the model's`)
  must(tasks.total === expected.length, "the total is the number of tasks", [tasks.total, expected.length])
  const done = expected.filter(({ status }) => status === "DONE").length
  const ongoing = expected.filter(({ status }) => status === "ONGOING").length
  must(
    metadata.counting.doneTotal === done && metadata.counting.ongoingTotal === ongoing,
    "counts by status are those of the list",
    [metadata.counting, done, ongoing],
  )
  return tasks.data
}

/**
 * What an integration of the member reads: every event that the member may see once, and those of one task in their order.
 * It reads on from its cursor, and at the end of the run everything again.
 */
export async function checkFeed(step: Step, member: Member, isLast: boolean): Promise<void> {
  await step.feedOf(member).check(step)
  const { model, random } = step
  if (!isLast) return
  // Some pages end within the events of one bulk call.
  const limit = random.integer(20, 200)
  const found: { event: string; taskId: string }[] = []
  for (let after = ""; ; ) {
    const reply = await read(step, member, `/events/feed?limit=${limit}${after && `&after=${after}`}`)
    const { data, cursor } = reply.json() as {
      data: { event: string; referenceId: string }[]
      cursor: string | null
    }
    found.push(...data.map(({ event, referenceId }) => ({ event, taskId: referenceId })))
    if (data.length < limit || !cursor) break
    after = cursor
  }
  const watched = new Set<string>(watchedEvents)
  const lines = (events: typeof found) =>
    events.filter(({ event }) => watched.has(event)).map(({ event, taskId }) => `${event} ${taskId}`)
  mustMatch(lines(found), lines(model.eventsOf(member)), `the ${member.part}'s feed has every event once`)
  if (member.part !== "owner") return
  const created = new Set<string>()
  for (const { event, taskId } of found)
    if (event === "onTaskCreated") created.add(taskId)
    else if (model.tasks.has(taskId))
      must(
        created.has(taskId),
        "the feed has a task's events in their order",
        `${event} ${taskId} before its creation`,
      )
}

/** Every watched event reached the receiver as a delivery of its own, and nothing that did not happen did. */
export async function checkWebhooks(step: Step): Promise<void> {
  const { model, world } = step
  const deliveries = new Map<string, string>()
  for (const { messageId, event, referenceId } of world.receiver.calls) {
    const line = `${event} ${referenceId}`
    must(
      messageId !== "" && (deliveries.get(messageId) ?? line) === line,
      "a delivery that is tried again has the same id and event",
      [messageId, line, deliveries.get(messageId)],
    )
    deliveries.set(messageId, line)
  }
  mustMatch(
    deliveries.values(),
    model.events.map(({ event, taskId }) => `${event} ${taskId}`),
    "every event is delivered to the webhook",
  )
}

/**
 * An endpoint that is well is called as soon as the queue is empty, not only by the run of the next minute, also after a
 * fault. Retries that are due within five seconds share a run.
 */
export async function checkDelivered({ world, random }: Step): Promise<void> {
  await world.runQueue(random)
  const now = world.clock.now()
  const waiting = await world.sql`
    select waiting.*, state from webhook_deliveries waiting
    left join webhook_endpoints state using (organization_id, automation_id)
    where due_time <= case attempt when 0 then ${now} else ${now.subtract({ seconds: 5 })} end::timestamptz
      and paused_time is null and coalesce(failure_count, 0) = 0 and coalesce(not_before <= ${now}, true) limit 1`
  must(waiting.length === 0, "a call that is due is made when the queue is empty", JSON.stringify(waiting))
}

export async function checkTrash(step: Step): Promise<void> {
  const { model, company } = step
  const reply = await read(step, company.members[0] as Member, "/trash?type=Task&limit=10000")
  const found = (reply.json().data as { sourceId: string }[]).map(({ sourceId }) => sourceId)
  const gone = [...model.tasks.values()].filter(({ isDeleted }) => isDeleted).map(({ id }) => id)
  mustMatch(found, gone, "the trash has what was deleted")
}

export async function checkRecords(step: Step): Promise<void> {
  const { model, company } = step
  const reply = await read(
    step,
    company.members[0] as Member,
    `/data?dataTypeId=${company.dataTypeId}&limit=1000`,
  )
  const page = reply.json() as { data: { data: Record<string, unknown>[]; total: number } }
  const line = (id: unknown, dataId: unknown, note: unknown) => JSON.stringify([id, dataId, note ?? ""])
  mustMatch(
    page.data.data.map((record) => line(record._id, record.dataId, record.note)),
    model.liveRecords().map(({ id, dataId, note }) => line(id, dataId, note)),
    "the list of records is the model's",
  )
  must(page.data.total === model.liveRecords().length, "the total is the number of records", page.data.total)
  await checkRecordPages(step, page.data.data)
}

const recordOrders = ["createdTime", "updatedTime", "note", "dataId"]

/** Pages and cursor give the records of the whole list in one order. */
async function checkRecordPages(
  { random, world, company }: Step,
  whole: readonly Record<string, unknown>[],
): Promise<void> {
  const owner = company.members[0] as Member
  for (const sortBy of recordOrders) {
    const limit = Math.max(2, Math.ceil(whole.length / random.integer(2, 4)))
    const query = `/data?dataTypeId=${company.dataTypeId}&sortBy=${sortBy}&sortOrder=${random.pick(["asc", "desc"])}&limit=${limit}`
    const idsOf = async (more: string) => {
      const reply = await world.ask(random, owner, (calls) => calls.get(`${query}${more}`))
      must(
        reply.statusCode === 200,
        "a valid list is answered",
        `${query}${more}: ${reply.body.slice(0, 200)}`,
      )
      return (reply.json().data.data as { _id: string }[]).map(({ _id }) => _id)
    }
    const byPage: string[] = []
    for (let page = 1; page <= Math.ceil(whole.length / limit) + 1; page += 1)
      byPage.push(...(await idsOf(`&page=${page}`)))
    mustMatch(
      byPage,
      whole.map(({ _id }) => String(_id)),
      "the pages of records are the whole list",
    )
    const byCursor = await idsOf("&lazyLoad=1")
    while (byCursor.length > 0 && byCursor.length % limit === 0 && byCursor.length <= whole.length) {
      const next = await idsOf(`&lazyLoad=1&cursor=${byCursor.at(-1)}`)
      if (next.length === 0) break
      byCursor.push(...next)
    }
    must(byCursor.join() === byPage.join(), "records by cursor are records by pages", [
      query,
      byCursor,
      byPage,
    ])
  }
}

/** Positions that were acknowledged are stored once each, and the newest one is shown. */
export async function checkPositions(step: Step): Promise<void> {
  const { model, company } = step
  const shown = (await read(step, company.members[0] as Member, "/positions")).json().data as {
    email: string
    lat: number
    time?: string
    createdTime?: string
  }[]
  for (const [email, positions] of model.positions) {
    const newest = [...positions.keys()].toSorted().at(-1)
    if (newest === undefined) continue
    const found = shown.find((position) => position.email === email)
    must(found?.lat === positions.get(newest)?.lat, "the live map shows the newest position", [
      email,
      newest,
      found,
    ])
  }
}

/** A console that is open has heard of every task that changed since the last comparison. */
export async function checkAnnouncements({ model, watcher }: Step): Promise<void> {
  const changed: string[] = []
  for (const task of model.tasks.values()) {
    const line = `${task.isDeleted} ${lineOf(task)}`
    if (model.announced.get(task.id) === line) continue
    model.announced.set(task.id, line)
    changed.push(task.id)
  }
  const missing = await watcher.missing(changed)
  must(missing.length === 0, "an open console receives every change", missing)
  watcher.clear()
}
