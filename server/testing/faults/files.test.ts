import { newId } from "#core/ids.ts"
import { aDataType, aFlow, aHub, anOrganization, aRecord, aTask } from "#samples/builders.ts"
import { faultTest } from "./run-operation.ts"
import type { World } from "./world.ts"

const once = () => ({ "idempotency-key": newId() })
const countOf = (rows: readonly unknown[]) => rows.length

async function aPlace({ sql }: World) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const type = await aDataType(sql, { org })
  return { org, hub, flow, type, key: once() }
}

faultTest({
  name: "a data type is made",
  scene: aPlace,
  act: ({ org, key }, { as }) =>
    as(org.owner).post(
      "/data-type",
      {
        name: "Valves",
        fields: [
          { id: "dataId", title: "Key", type: "primaryKey", primaryKey: true, required: true },
          { id: "note", title: "Note", type: "text" },
        ],
      },
      key,
    ),
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from data_types where organization_id = ${org.id} and name = 'Valves'`)
  },
})

faultTest({
  name: "records are created and changed in bulk",
  async scene(world: World) {
    const place = await aPlace(world)
    await aRecord(world.sql, { ...place, dataId: "old", values: { note: "before" }, hub: place.hub })
    return place
  },
  act: ({ org, hub, type, key }, { as }) =>
    as(org.owner).post(
      "/data/bulk/upsert",
      {
        data: ["old", "new"].map((dataId) => ({ dataTypeId: type.id, hubId: hub.id, dataId, note: "after" })),
      },
      key,
    ),
  async effects({ org }, { sql }) {
    const rows = await sql<{ note: string }[]>`
      select "values" ->> 'note' as note from data_records where organization_id = ${org.id} order by data_id`
    const notes = rows.map(({ note }) => note).join()
    return notes === "before" ? 0 : notes === "after,after" ? 1 : 0.5
  },
})

const manySites = `Site name\n${Array.from({ length: 2_100 }, (_, index) => `S${index}`).join("\n")}\n`

faultTest({
  name: "a file of tasks is taken",
  scene: aPlace,
  act: ({ org, hub, flow }, { as }) =>
    as(org.owner).upload("/data/import", {
      type: "task",
      flowId: flow.id,
      hubId: hub.id,
      file: { filename: "sites.csv", content: "Site name\nOne\nTwo\n" },
    }),
  // The same file within some time: the response names the import that was taken.
  repeated: [400, 409],
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from imports where organization_id = ${org.id}`)
  },
})

async function withImport(world: World, content: string) {
  const place = await aPlace(world)
  const { org, hub, flow } = place
  const reply = await world.as(org.owner).upload("/data/import", {
    type: "task",
    flowId: flow.id,
    hubId: hub.id,
    file: { filename: "sites.csv", content },
  })
  return { ...place, importId: String(reply.json().data._id) }
}

faultTest({
  name: "a file of tasks is worked on",
  scene: (world: World) => withImport(world, manySites),
  async act(_scene, world) {
    await world.runJobs()
    return undefined
  },
  async effects({ org, importId }, { sql }) {
    const [row] = await sql<{ status: string; totalValid: number; tasks: number }[]>`
      select status, total_valid, (select count(*) from tasks where organization_id = ${org.id})::int as tasks
      from imports where id = ${importId}`
    if (row?.totalValid !== row?.tasks) return -1
    // Batches are written one by one: written ones are reported, and the rest follows.
    if (row?.status === "onprocess") return 0
    return (row?.tasks ?? 0) / 2_100
  },
})

faultTest({
  name: "a file of tasks with a row that fails is worked on",
  scene: (world: World) => withImport(world, "Site name,Site name 2\nOne,x\n,y\n"),
  async act(_scene, world) {
    await world.runJobs()
    return undefined
  },
  async effects({ org, importId }, { sql }) {
    const [row] = await sql<{ status: string; failedKey: string | null; tasks: number }[]>`
      select status, failed_key, (select count(*) from tasks where organization_id = ${org.id})::int as tasks
      from imports where id = ${importId}`
    if (row?.status === "onprocess") return 0
    return row?.status === "partially" && row.failedKey !== null && row.tasks === 1 ? 1 : 0.5
  },
})

faultTest({
  name: "a file of records is worked on",
  async scene(world: World) {
    const place = await aPlace(world)
    const { org, hub, type } = place
    const reply = await world.as(org.owner).upload("/data/import", {
      type: "datasource",
      dataTypeId: type.id,
      hubId: hub.id,
      file: { filename: "records.csv", content: "Key,Note\nA,one\nB,two\n" },
    })
    return { ...place, importId: String(reply.json().data?._id ?? reply.body) }
  },
  async act(_scene, world) {
    await world.runJobs()
    return undefined
  },
  async effects({ org, importId }, { sql }) {
    const [row] = await sql<{ status: string; records: number }[]>`
      select status, (select count(*) from data_records where organization_id = ${org.id})::int as records
      from imports where id = ${importId}`
    if (row?.status === "onprocess") return row.records === 0 ? 0 : row.records / 2 === 1 ? 0 : 0.5
    return (row?.records ?? 0) / 2
  },
})

faultTest({
  name: "an import is undone",
  async scene(world: World) {
    const scene = await withImport(world, "Site name\nOne\nTwo\nThree\n")
    await world.runJobs()
    return scene
  },
  act: ({ org, importId }, { as }) => as(org.owner).post(`/import-monitoring/${importId}/undo`, {}),
  repeated: [409],
  runsJobs: true,
  async effects({ org, importId }, { sql }) {
    const [row] = await sql<{ isUndone: boolean; tasks: number }[]>`
      select undone_time is not null as is_undone, (select count(*) from tasks where organization_id = ${org.id})::int as tasks
      from imports where id = ${importId}`
    if (row?.isUndone) return row.tasks === 0 ? 1 : 0.5
    return row?.tasks === 3 ? 0 : row?.tasks === 0 ? 0 : 0.5
  },
})

async function withTasks(world: World) {
  const place = await aPlace(world)
  for (const title of ["One", "Two"]) await aTask(world.sql, { ...place, title })
  return place
}

/** Exports that are ready; one that is not must not have been promised. */
async function readyExports({ sql, store }: World, organizationId: string): Promise<number> {
  const rows = await sql<{ status: string; fileKey: string | null }[]>`
    select status, file_key from exports where organization_id = ${organizationId}`
  let ready = 0
  for (const { status, fileKey } of rows) {
    if (status === "Processing") continue
    if (status !== "Done" || fileKey === null) return 0.5
    const file = await store.open(fileKey)
    file?.stream.destroy()
    ready += file ? 1 : 0.5
  }
  return ready
}

faultTest({
  name: "a small export is written at once",
  scene: withTasks,
  act: ({ org, key }, { as }) => as(org.owner).post("/tasks/export", { download: "csv" }, key),
  effects: ({ org }, world) => readyExports(world, org.id),
})

faultTest({
  name: "an export is written in the background, with mail",
  scene: withTasks,
  act: ({ org, key }, { as }) =>
    as(org.owner).post("/tasks/export", { download: "csv", background: true, email: [org.owner.email] }, key),
  runsJobs: true,
  async effects({ org }, world) {
    const ready = await readyExports(world, org.id)
    const mails = countOf(await world.sql`select 1 from mails where recipient = ${org.owner.email}`)
    return ready === mails ? ready : 0.5
  },
})

faultTest({
  name: "a scheduled export is made and mailed to an address outside",
  async scene(world: World) {
    const place = await withTasks(world)
    const receiver = `auditor-${newId()}@elsewhere.example`
    const made = await world.as(place.org.owner).post("/export-config", {
      name: "Daily",
      collection: "task",
      flowIds: [place.flow.id],
      fields: [{ id: "_id", component: "input", title: "ID" }],
      format: "csv",
      schedule: { periode: "daily", schedules: [{ time: ["08:00"] }], emails: [receiver], isActive: true },
    })
    if (made.statusCode >= 300) throw new Error(made.body)
    await world.sql`
      update export_configs set next_run_time = ${world.clock.now().subtract({ minutes: 1 })}
      where organization_id = ${place.org.id}`
    return { ...place, receiver }
  },
  act: (_scene, world) => world.runJob("exports.run-schedules"),
  async effects({ org, receiver }, world) {
    const ready = await readyExports(world, org.id)
    const mails = countOf(await world.sql`select 1 from mails where recipient = ${receiver}`)
    return ready === mails ? ready : 0.5
  },
})

faultTest({
  name: "an old export is deleted",
  async scene(world: World) {
    const place = await withTasks(world)
    await world.as(place.org.owner).post("/tasks/export", { download: "csv" })
    await world.sql`update exports set requested_time = now() - interval '31 days' where organization_id = ${place.org.id}`
    return place
  },
  act: (_scene, world) => world.runJob("exports.tidy"),
  async effects({ org }, { sql }) {
    return 1 - countOf(await sql`select 1 from exports where organization_id = ${org.id}`)
  },
})

const avatar = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)])

faultTest({
  name: "a picture takes the place of another",
  async scene(world: World) {
    const org = await anOrganization(world.sql)
    const first = await world
      .as(org.owner)
      .upload("/user/avatar", { image: { filename: "a.jpg", content: avatar } })
    const [row] = await world.sql<{ avatar: string }[]>`select avatar from users where id = ${org.owner.id}`
    return { org, before: row?.avatar ?? first.body }
  },
  act: ({ org }, { as }) =>
    as(org.owner).upload("/user/avatar", { image: { filename: "b.jpg", content: avatar } }),
  async effects({ org, before }, { sql }) {
    const [row] = await sql<{ avatar: string }[]>`select avatar from users where id = ${org.owner.id}`
    return row?.avatar === before ? 0 : 1
  },
})

const plugin = {
  name: "Stock Counter",
  description: "Counts what is in stock",
  resourceFile: { filename: "stock.js", content: "export const start = () => 1" },
  icon: {
    filename: "stock.svg",
    content: '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>',
  },
}

faultTest({
  name: "a plugin is uploaded",
  scene: aPlace,
  act: ({ org }, { as }) => as(org.owner).upload("/plugin", plugin),
  // Its name is taken: by itself.
  repeated: [400, 409],
  async effects({ org }, { sql }) {
    return countOf(await sql`select 1 from plugins where organization_id = ${org.id}`)
  },
})

async function withPlugin(world: World) {
  const place = await aPlace(world)
  const made = await world.as(place.org.owner).upload("/plugin", plugin)
  return { ...place, pluginId: String(made.json().data.id) }
}

faultTest({
  name: "a plugin is changed",
  scene: withPlugin,
  act: ({ org, pluginId }, { as }) =>
    as(org.owner).put(`/plugin/${pluginId}`, { name: "Counter", description: "Counts more", isUsed: true }),
  async effects({ pluginId, org }, { sql }) {
    const [row] = await sql<{ name: string; used: number }[]>`
      select name, (select count(*) from plugin_installations where organization_id = ${org.id}
        and plugin_id = ${pluginId})::int as used
      from plugins where id = ${pluginId}`
    return row?.name === "Counter" ? row.used : (row?.used ?? 0) / 2
  },
})

faultTest({
  name: "a plugin is deleted",
  scene: withPlugin,
  act: ({ org, pluginId }, { as }) => as(org.owner).delete(`/plugin/${pluginId}`),
  repeated: [404],
  async effects({ pluginId }, { sql }) {
    return 1 - countOf(await sql`select 1 from plugins where id = ${pluginId}`)
  },
})
