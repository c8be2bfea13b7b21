import { newId } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import type { FlowPage } from "../../features/work/flows/index.ts"
import { faultTest } from "./run-operation.ts"
import type { World } from "./world.ts"

const once = () => ({ "idempotency-key": newId() })
const countOf = (rows: readonly unknown[]) => rows.length

const pages: FlowPage[] = [
  {
    id: "page0",
    components: [
      {
        id: "siteName",
        component: "input",
        type: "String",
        title: "Site name",
        required: true,
        showAs: "title",
      },
      { id: "proof", component: "photo", title: "Proof", min: 0, max: 3 },
    ],
  },
] as FlowPage[]

async function aPlace({ sql }: World) {
  const org = await anOrganization(sql)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const flow = await aFlow(sql, { org, pages })
  const worker = await aUser(sql, { org, hubs: [hub, other], permissions: ["do/task", "view/task"] })
  return { org, hub, other, flow, worker, key: once() }
}

async function withTask(world: World, options: { isAssigned?: boolean } = {}) {
  const place = await aPlace(world)
  const { org, hub, flow, worker } = place
  const task = await aTask(world.sql, {
    org,
    hub,
    flow,
    ...(options.isAssigned ? { assignee: [worker] } : {}),
  })
  return { ...place, task }
}

/** How often the task's history contains an action. */
async function historyOf({ sql }: World, taskId: string, action: string): Promise<number> {
  return countOf(await sql`select 1 from task_histories where task_id = ${taskId} and action = ${action}`)
}

faultTest({
  name: "a flow gets a new version",
  scene: aPlace,
  act: ({ org, flow }, { as }) => as(org.owner).put(`/flow/${flow.id}`, { name: "Renamed", pages }),
  async effects({ org, flow }, { sql }) {
    const [found] = await sql<{ name: string; version: number; logs: number }[]>`
      select name, version, (select count(*) from flow_logs where organization_id = ${org.id} and flow_id = ${flow.id}
        and action = 'put')::int as logs
      from flows where id = ${flow.id}`
    if (found?.name !== "Renamed") return found?.version === 1 && found.logs === 0 ? 0 : 0.5
    return found.version === 2 ? found.logs : found.version
  },
})

faultTest({
  name: "a task is made",
  scene: aPlace,
  act: ({ org, hub, flow, worker, key }, { as }) =>
    as(org.owner).post(
      "/task",
      { flow: flow.name, hubId: hub.id, siteName: "Pump", assignee: [worker.email] },
      key,
    ),
  runsJobs: true,
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from tasks where organization_id = ${org.id} and status = 'ONGOING'`)
  },
})

faultTest({
  name: "tasks are made in bulk",
  scene: aPlace,
  act: ({ org, hub, flow, key }, { as }) =>
    as(org.owner).post(
      "/tasks/bulk",
      { tasks: ["A", "B", "C"].map((siteName) => ({ flow: flow.name, hubId: hub.id, siteName })) },
      key,
    ),
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from tasks where organization_id = ${org.id}`) / 3
  },
})

faultTest({
  name: "tasks are made in bulk, in the background",
  scene: aPlace,
  act: ({ org, hub, flow, key }, { as }) =>
    as(org.owner).post(
      "/tasks/bulk",
      {
        background: true,
        tasks: ["A", "B"].map((siteName) => ({ flow: flow.name, hubId: hub.id, siteName })),
      },
      key,
    ),
  runsJobs: true,
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from tasks where organization_id = ${org.id}`) / 2
  },
})

faultTest({
  name: "a task is assigned",
  scene: (world: World) => withTask(world),
  act: ({ org, task, worker }, { as }) =>
    as(org.owner).put(`/task/${task.id}/assign`, { assignee: [worker.email] }),
  async effects({ task }, world) {
    const [row] = await world.sql<{ status: string }[]>`select status from tasks where id = ${task.id}`
    const reported = await historyOf(world, task.id, "assign")
    if (row?.status !== "ONGOING") return reported === 0 ? 0 : 0.5
    return reported
  },
})

faultTest({
  name: "a task is moved",
  scene: (world: World) => withTask(world),
  act: ({ org, task, other }, { as }) => as(org.owner).put(`/task/${task.id}/move`, { hubId: other.id }),
  async effects({ task, other }, world) {
    const [row] = await world.sql<{ hubId: string }[]>`select hub_id from tasks where id = ${task.id}`
    const reported = await historyOf(world, task.id, "move")
    if (row?.hubId !== other.id) return reported === 0 ? 0 : 0.5
    return reported
  },
})

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

faultTest({
  name: "a task is finished with a photo",
  scene: (world: World) => withTask(world, { isAssigned: true }),
  async act({ task, worker }, { as }) {
    const stored = await as(worker).upload(`/task/photo/${task.id}_0_proof`, {
      photo: { filename: "proof.png", content: photo },
    })
    if (stored.statusCode !== 200) return stored
    return as(worker).patch(`/task/${task.id}`, { status: "DONE", proof_0_url: stored.json().url })
  },
  async effects({ org, task }, { sql, store }) {
    const [row] = await sql<{ status: string; url: string | null }[]>`
      select status, coalesce(attributes ->> 'proof_0_url', "values" ->> 'proof_0_url') as url from tasks where id = ${task.id}`
    if (row?.status !== "DONE") return row?.url === null ? 0 : 0.5
    const key = row.url?.slice(row.url.indexOf(org.id)) ?? ""
    const found = await store.open(key)
    found?.stream.destroy()
    // A photo that is sent again is stored once.
    const stored = countOf(
      await sql`select 1 from file_links where organization_id = ${org.id} and owner_type = 'user'`,
    )
    return found?.sizeBytes === photo.length ? stored : 0.5
  },
  // What is done is done: a repetition says so.
  repeated: [400],
})

faultTest({
  name: "a task is deleted",
  scene: (world: World) => withTask(world),
  act: ({ org, task }, { as }) => as(org.owner).delete(`/task/${task.id}`),
  repeated: [404],
  async effects({ org, task }, { sql }) {
    const left = countOf(await sql`select 1 from tasks where id = ${task.id}`)
    const kept = countOf(
      await sql`select 1 from trash where organization_id = ${org.id} and source_id = ${task.id}`,
    )
    return left + kept === 1 ? kept : 0.5
  },
})

faultTest({
  name: "a task is restored from the trash",
  async scene(world: World) {
    const scene = await withTask(world)
    await world.as(scene.org.owner).expect(200).delete(`/task/${scene.task.id}`)
    const [entry] = await world.sql<{ id: string }[]>`select id from trash where source_id = ${scene.task.id}`
    return { ...scene, trashId: entry?.id ?? "" }
  },
  act: ({ org, trashId, key }, { as }) => as(org.owner).post(`/trash/${trashId}/restore`, {}, key),
  async effects({ task }, { sql }) {
    const back = countOf(await sql`select 1 from tasks where id = ${task.id}`)
    const kept = countOf(await sql`select 1 from trash where source_id = ${task.id}`)
    return back + kept === 1 ? back : 0.5
  },
})

faultTest({
  name: "what was in the trash for 30 days is purged",
  async scene(world: World) {
    const scene = await withTask(world)
    await world.as(scene.org.owner).delete(`/task/${scene.task.id}`)
    await world.sql`update trash set deleted_time = now() - interval '31 days' where source_id = ${scene.task.id}`
    return scene
  },
  act: (_scene, world) => world.runJob("core.remove-expired"),
  async effects({ task }, { sql }) {
    return 1 - countOf(await sql`select 1 from trash where source_id = ${task.id}`)
  },
})

faultTest({
  name: "a schedule is run by hand",
  async scene(world: World) {
    const place = await aPlace(world)
    return {
      ...place,
      schedule: await aSchedule(world.sql, { org: place.org, hub: place.hub, flow: place.flow }),
    }
  },
  act: ({ org, schedule, key }, { as }) => as(org.owner).post(`/task/schedule/${schedule.id}/run`, {}, key),
  runsJobs: true,
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from tasks where organization_id = ${org.id}`)
  },
})

faultTest({
  name: "a schedule that is due makes its task",
  async scene(world: World) {
    const place = await aPlace(world)
    const dueAt = world.clock
      .now()
      .subtract({ minutes: 2 })
      .round({ smallestUnit: "minute", roundingMode: "floor" })
    const time = dueAt.toString().slice(11, 16)
    const schedule = await aSchedule(world.sql, {
      ...place,
      recurrence: { periode: "daily", startTime: "2000-01-01", endTime: "2099-12-31", schedules: [{ time }] },
      handledUntil: dueAt.subtract({ minutes: 5 }),
      nextRunAt: dueAt,
    })
    return { ...place, schedule }
  },
  act: (_scene, world) => world.runJob("task-schedules.generate"),
  isRecurring: true,
  async effects({ org, schedule }, { sql }) {
    const tasks = countOf(await sql`select 1 from tasks where organization_id = ${org.id}`)
    const runs = countOf(await sql`select 1 from task_schedule_runs where schedule_id = ${schedule.id}`)
    return tasks === runs ? tasks : 0.5
  },
})
