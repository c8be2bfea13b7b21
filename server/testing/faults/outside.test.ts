import { newId } from "#core/ids.ts"
import { mailLimits } from "#core/outbound/mail.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { webhookLimits } from "../../features/extensions/automations/webhooks/call-webhook.ts"
import { mailJobs } from "../../features/organization/mails/index.ts"
import { faultTest } from "./run-operation.ts"
import { stepHttpServer, stepMailServer } from "./step-server.ts"
import { aWorld, fromAnywhere, type World } from "./world.ts"

const once = () => ({ "idempotency-key": newId() })
const countOf = (rows: readonly unknown[]) => rows.length
webhookLimits.timeoutMilliseconds = 2_000
mailLimits.timeoutMilliseconds = 2_000
const receiver = await stepHttpServer((await aWorld()).faults)
const mailServer = await stepMailServer((await aWorld()).faults)

async function aPlace({ sql }: World) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 52, lng: 5 })
  const flow = await aFlow(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  return { org, hub, flow, driver, key: once() }
}

const minutesAgo = (minutes: number) => toT3({ epochMilliseconds: Date.now() - minutes * 60_000 })

async function aDrive(world: World) {
  const place = await aPlace(world)
  // The same texts at every attempt: a point is known again by its time and place.
  const points = [52, 52.0001, 52.2].map((lat, index) => ({
    email: place.driver.email,
    lat,
    lon: 5,
    createdTime: minutesAgo(30 - 10 * index),
  }))
  return { ...place, points }
}

async function pointsOf({ sql }: World, organizationId: string): Promise<number> {
  return countOf(
    await sql`
      select 1 from location_points join organizations on organizations.number = location_points.organization_number
      where organizations.id = ${organizationId}`,
  )
}

faultTest({
  name: "positions are stored in bulk",
  scene: aDrive,
  act: ({ driver, points, key }, { as }) =>
    as(driver).post("/location-history/bulk", { location_histories: points }, key),
  async effects({ org, points }, world) {
    return (await pointsOf(world, org.id)) / points.length
  },
})

faultTest({
  name: "an arrival and a departure at a hub are noticed",
  async scene(world: World) {
    const drive = await aDrive(world)
    await world.as(drive.driver).post("/location-history/bulk", { location_histories: drive.points })
    return drive
  },
  act: (_scene, world) => world.runJob("geofences.follow"),
  isRecurring: true,
  async effects({ org }, { sql }) {
    const visits = await sql<{ hasLeft: boolean }[]>`
      select left_at is not null as has_left from location_visits where organization_id = ${org.id} and place_type = 'hub'`
    if (visits.length > 1) return visits.length
    return visits[0] ? (visits[0].hasLeft ? 1 : 0.5) : 0
  },
})

faultTest({
  name: "a route is planned",
  scene: aPlace,
  act: ({ org, hub, key }, { as }) =>
    as(org.owner).post(
      "/routing",
      {
        hubId: hub.id,
        visits: [{ id: "a", name: "A", address: "A", coordinate: "52.01,5.01" }],
        vehicles: [{ id: "1", name: "Van", workingTime: { startTime: "08:00", endTime: "17:00" } }],
      },
      key,
    ),
  runsJobs: true,
  async effects({ org }, { sql }) {
    const rows = await sql<{ status: string }[]>`
      select status from routing_results where organization_id = ${org.id}`
    if (rows.length > 1) return rows.length
    return rows[0]?.status === "done" ? 1 : 0
  },
})

async function aPlan(world: World) {
  const place = await aPlace(world)
  const { org, hub, flow, driver } = place
  const tasks = [await aTask(world.sql, { org, hub, flow }), await aTask(world.sql, { org, hub, flow })]
  const stop = (id: string, order: number) => ({
    visitId: `taskId-${id}`,
    visitName: "Shop",
    isHub: false,
    order,
    eta: `${10 + order}:00:00`,
    etd: `${10 + order}:10:00`,
    distance: 1000 * order,
    travelTime: 2,
    waitingTime: 0,
    visitTime: 10,
  })
  const start = { visitId: `hub-${hub.id}`, isHub: true, order: 0, eta: "08:00:00", etd: "08:00:00" }
  const van = {
    vehicleId: "v1",
    vehicleName: "Van 1",
    assignee: driver.email,
    workingTime: { startTime: "08:00", endTime: "17:00" },
    trips: [start, ...tasks.map(({ id }, index) => stop(id, index + 1))],
  }
  const { id: resultId } = await aResult(world.sql, { org, hub, result: { routing: [van], dropped: [] } })
  return { ...place, tasks, resultId }
}

async function dispatched({ sql }: World, organizationId: string): Promise<number> {
  return (
    countOf(
      await sql`select 1 from tasks where organization_id = ${organizationId} and status = 'ONGOING' and routing_result_id is not null`,
    ) / 2
  )
}

faultTest({
  name: "a plan is dispatched",
  scene: aPlan,
  act: ({ org, resultId, key }, { as }) => as(org.owner).post("/dispatch", { resultId }, key),
  async effects({ org }, world) {
    const reported = countOf(
      await world.sql`
        select 1 from task_histories where organization_id = ${org.id} and action = 'assign'`,
    )
    const count = await dispatched(world, org.id)
    return reported > 2 ? reported / 2 : count
  },
})

faultTest({
  name: "a dispatch is taken back",
  async scene(world: World) {
    const plan = await aPlan(world)
    await world.as(plan.org.owner).post("/dispatch", { resultId: plan.resultId })
    return plan
  },
  act: ({ org, resultId, key }, { as }) => as(org.owner).post("/dispatch/undo", { resultId }, key),
  effects: async ({ org }, world) => 1 - (await dispatched(world, org.id)),
})

faultTest({
  name: "a visit is taken out of a plan by hand",
  async scene(world: World) {
    const place = await aPlace(world)
    const made = await world.as(place.org.owner).post("/routing", {
      hubId: place.hub.id,
      visits: ["a", "b"].map((id) => ({ id, name: id, address: id, coordinate: "52.01,5.01" })),
      vehicles: [{ id: "1", name: "Van", workingTime: { startTime: "08:00", endTime: "17:00" } }],
    })
    await world.runJobs()
    return { ...place, resultId: String(made.json().data._id) }
  },
  act: ({ org, resultId }, { as }) =>
    as(org.owner).put(`/result/${resultId}/moves`, { moves: [{ visitId: "b", vehicleId: null }] }),
  // It is out already.
  repeated: [400],
  async effects({ resultId }, { sql }) {
    const [row] = await sql<{ dropped: number; histories: number }[]>`
      select jsonb_array_length(result -> 'dropped') as dropped,
        (select count(*) from routing_result_histories where result_id = routing_results.id)::int as histories
      from routing_results where id = ${resultId}`
    return row?.dropped === 0 ? (row.histories === 0 ? 0 : 0.5) : (row?.histories ?? 0)
  },
})

async function automated(world: World, automationType: string, automationDetails: object) {
  const place = await aPlace(world)
  const { org, flow } = place
  const made = await world.as(org.owner).post("/automation", {
    name: `Automation ${newId()}`,
    event: "onTaskCreated",
    automationType,
    automationDetails,
    rules: { flow: flow.name, flowId: flow.id },
  })
  if (made.statusCode !== 200) throw new Error(made.body)
  return { ...place, automationId: String(made.json().data._id) }
}

faultTest({
  name: "an automation makes a task",
  async scene(world: World) {
    const { sql } = world
    const place = await aPlace(world)
    const { org, flow, hub } = place
    const next = await aFlow(sql, { org })
    await world.as(org.owner).post("/automation", {
      name: "Next",
      event: "onTaskCreated",
      automationType: "createTask",
      automationDetails: { flow: next.name, flowId: next.id, hubId: hub.id, taskData: { siteName: "Made" } },
      rules: { flow: flow.name, flowId: flow.id },
    })
    await world.as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, siteName: "First" })
    return { ...place, next }
  },
  async act(_scene, world) {
    await world.runJobs()
    return undefined
  },
  async effects({ org, next }, { sql }) {
    return countOf(await sql`select 1 from tasks where organization_id = ${org.id} and flow_id = ${next.id}`)
  },
})

faultTest({
  name: "a notification that no sender takes is logged",
  async scene(world: World) {
    const message = {
      channel: "whatsApp",
      secretKey: "k",
      message: "On our way",
      taskFieldReceiver: "siteName",
    }
    const place = await automated(world, "notification", message)
    const { org, flow, hub } = place
    await world.as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, siteName: "First" })
    return place
  },
  async act(_scene, world) {
    await world.runJobs()
    return undefined
  },
  async effects({ automationId }, { sql }) {
    return countOf(
      await sql`select 1 from automation_log where automation_id = ${automationId} and not is_success`,
    )
  },
})

faultTest({
  name: "a webhook is delivered",
  places: () => [receiver],
  async scene(world: World) {
    const place = await automated(world, "webhook", { url: `${receiver.url}/${newId()}` })
    const { org, flow, hub } = place
    await world.as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, siteName: "First" })
    receiver.received.length = 0
    return place
  },
  async act(_scene, world) {
    // Some time later: the pause after a failed try is over, and a worker that fell silent has lost its lease.
    await world.sql`update webhook_deliveries set due_time = due_time - interval '1 day'`
    await world.sql`update webhook_endpoints set next_due = next_due - interval '1 day', not_before = null`
    await world.sql`delete from worker_heartbeats`
    await world.runJobs()
    return world.runJob("webhook.deliver")
  },
  isRecurring: true,
  async effects({ automationId }, { sql }) {
    const [log] = await sql<{ ok: number }[]>`
      select count(*)::int as ok from automation_log where automation_id = ${automationId} and is_success`
    // A delivery whose response was lost arrives again; none is marked as delivered that did not arrive.
    return receiver.received.length === 0 && log?.ok !== 0 ? 0.5 : (log?.ok ?? 0)
  },
})

faultTest({
  name: "a mail is handed to the mail server",
  places: () => [mailServer],
  async scene(world: World) {
    const org = await anOrganization(world.sql)
    await world.nobody.post("/user/forgot-password", { email: org.owner.email }, fromAnywhere())
    await world.runJobs()
    const [mail] = await world.sql<{ id: string; organizationId: string }[]>`
      select id, organization_id from mails where recipient = ${org.owner.email}`
    mailServer.received.length = 0
    return { org, mailId: mail?.id ?? "", organizationId: mail?.organizationId ?? org.id }
  },
  async act({ mailId, organizationId }, { jobContext, config }) {
    const context = { ...jobContext(), config: { ...config, mailUrl: mailServer.url } }
    await mailJobs[0]?.handle(context, { organizationId, mailId })
    return undefined
  },
  async effects({ mailId }, { sql }) {
    const [row] = await sql<
      { isSent: boolean }[]
    >`select sent_time is not null as is_sent from mails where id = ${mailId}`
    // A mail whose receipt was lost is sent again, under the same id, by which mail servers know it.
    const ids = new Set(mailServer.received.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]))
    if (ids.size > 1) return ids.size
    return row?.isSent ? ids.size : 0
  },
})

faultTest({
  name: "counts of positions are folded",
  async scene(world: World) {
    const drive = await aDrive(world)
    await world.as(drive.driver).post("/location-history/bulk", { location_histories: drive.points })
    return drive
  },
  act: (_scene, world) => world.runJob("location.fold-counts"),
  async effects({ org }, { sql }) {
    const waiting = await sql`
      select 1 from location_count_changes join organizations on organizations.number = organization_number
      where organizations.id = ${org.id}`
    return waiting.length === 0 ? 1 : 0
  },
})

faultTest({
  name: "positions that are no longer kept are deleted",
  async scene(world: World) {
    const drive = await aDrive(world)
    const old = drive.points.map((point) => ({ ...point, createdTime: minutesAgo(60 * 24 * 60) }))
    await world.as(drive.driver).post("/location-history/bulk", { location_histories: old })
    await world.as(drive.org.owner).put("/location-settings", { retentionDays: 30 })
    return drive
  },
  act: (_scene, world) => world.runJob("location.delete-unkept"),
  effects: async ({ org }, world) => ((await pointsOf(world, org.id)) === 0 ? 1 : 0),
})
