import { createHash, randomBytes } from "node:crypto"
import { newId } from "#core/ids.ts"
import { aFlow, aHub, anImport, anOrganization, aTask, aUser, type Organization } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { selfSigned } from "../services/self-signed-certificate.ts"
import { faultTest } from "./run-operation.ts"
import { fromAnywhere, type World } from "./world.ts"

const password = "Harbour-27"
const countOf = (rows: readonly unknown[]) => rows.length

async function aPlace({ sql }: World) {
  const org = await anOrganization(sql, { password })
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  await aTask(sql, { org, hub, flow })
  return { org }
}

faultTest({
  name: "an owner's archive is asked for and made",
  scene: aPlace,
  act: ({ org }, { as }) => as(org.owner).post(`/organization/${org.id}/archive`, { password }),
  runsJobs: true,
  async effects({ org }, { sql }) {
    const rows = await sql<{ status: string; fileKey: string | null }[]>`
      select status, file_key from organization_archives where organization_id = ${org.id}`
    if (rows[0]?.status !== "ready") return rows.length > 1 ? rows.length : 0
    // A later one takes the place of an earlier one; a job must remove it after its week.
    return countOf(
      await sql`
        select 1 from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
        where tasks.identifier = 'organization.remove-archive' and jobs.payload ->> 'fileKey' = ${rows[0].fileKey}
          and run_at > now()`,
    )
  },
})

faultTest({
  name: "an organization is deleted, with its files",
  async scene(world: World) {
    const place = await aPlace(world)
    await world.app.objects.put(`${place.org.id}/avatars/${newId()}.jpg`, Buffer.from("a picture"))
    return place
  },
  act: ({ org }, { as }) => as(org.owner).delete(`/organization/${org.id}`, { password }),
  // The person who deleted it is no longer a member of anything.
  repeated: [401, 404],
  runsJobs: true,
  async effects({ org }, { sql }) {
    const [left] = await sql<{ organizations: number; tasks: number }[]>`
      select (select count(*) from organizations where id = ${org.id})::int as organizations,
        (select count(*) from tasks where organization_id = ${org.id})::int as tasks`
    return left?.organizations === left?.tasks ? 1 - (left?.organizations ?? 0) : 0.5
  },
})

const certificate = () => ({ filename: "directory.cer", content: selfSigned("login.example").certificate })

faultTest({
  name: "the certificate of a directory is replaced",
  async scene(world: World) {
    const { org } = await aPlace(world)
    const form = { azureAuthUrl: "https://login.example/", azureCert: certificate() }
    const made = await world.as(org.owner).upload("/app-integration", form)
    const id = String(made.json().data?._id ?? made.body)
    const [row] = await world.sql<{ key: string }[]>`
      select certificate_key as key from app_integrations where id = ${id}`
    world.clock.move({ seconds: 2 })
    return { org, id, before: row?.key ?? "" }
  },
  act: ({ org, id }, { as }) =>
    as(org.owner).upload(
      `/app-integration/${id}`,
      { azureAuthUrl: "https://login.example/", azureCert: certificate() },
      "PUT",
    ),
  async effects({ id, before }, { sql }) {
    const [row] = await sql<
      { key: string }[]
    >`select certificate_key as key from app_integrations where id = ${id}`
    return row?.key === before ? 0 : 1
  },
})

const hashOf = (text: string) => createHash("sha256").update(text).digest()

faultTest({
  name: "a sign-in with a directory is finished",
  async scene({ sql }: World) {
    const org = await anOrganization(sql)
    const person = await aUser(sql, { org, role: "planner" })
    const [directoryId, requestId, ticket] = [newId(), newId(), newId()]
    const browser = randomBytes(32).toString("base64url")
    await sql`
      insert into app_integrations (organization_id, id, integration_type, issuer_url, client_id)
      values (${org.id}, ${directoryId}, 'oidc', 'https://login.example', 'fieldway')`
    await sql`
      insert into sso_requests (organization_id, id, app_integration_id, browser_hash, return_to, expires_at, email, ticket_hash)
      values (${org.id}, ${requestId}, ${directoryId}, ${hashOf(browser)}, '/tracking', now() + interval '15 minutes',
        ${person.email}, ${hashOf(ticket)})`
    const cookie = `fieldway_sso_${hashOf(requestId).toString("hex").slice(0, 12)}=${browser}`
    return { org, person, ticket, cookie }
  },
  async act({ ticket, cookie }, { nobody }) {
    const reply = await nobody.get(`/auth/sso/finish?ticket=${ticket}`, { cookie })
    return reply.headers.location === "/tracking" ? undefined : reply
  },
  // The ticket is good once: a browser whose response was lost is sent back to the sign-in.
  repeated: [302],
  async effects({ org, person }, { sql }) {
    return countOf(
      await sql`
        select 1 from access_tokens where organization_id = ${org.id} and user_id = ${person.id} and sign_in = 'sso'`,
    )
  },
})

type Find = (sql: World["sql"]) => Promise<unknown[]>

/** What a calendar removes once it is old: `prepare` makes such a row, which is gone afterwards, with its files. */
function retentionTest(job: string, prepare: (world: World, org: Organization) => Promise<Find>): void {
  faultTest({
    name: `${job} removes what is old`,
    async scene(world: World) {
      const org = await anOrganization(world.sql)
      return { org, find: await prepare(world, org) }
    },
    act: (_scene, world) => world.runJob(job),
    async effects({ find }, { sql }) {
      return 1 - countOf(await find(sql))
    },
  })
}

retentionTest("automation.remove-old", async ({ sql }, org) => {
  const id = newId()
  await sql`
    insert into automation_log (organization_id, id, automation_id, origin, attempt, is_success, status_code, name, event,
      automation_type, data_type, details, url, request, response, reference_id, dispatched_time, started_time, finished_time)
    values (${org.id}, ${id}, ${newId()}, 'event', 0, true, 200, 'Old', 'onTaskCreated', 'webhook', 'task', '{}', '', '', '',
      '', now() - interval '31 days', now() - interval '31 days', now() - interval '31 days')`
  return (pool) => pool`select 1 from automation_log where id = ${id}`
})

retentionTest("mail.remove-old", async ({ sql, nobody, runJobs }, { owner }) => {
  await nobody.post("/user/forgot-password", { email: owner.email }, fromAnywhere())
  await runJobs()
  await sql`update mails set created_time = now() - interval '31 days' where recipient = ${owner.email}`
  return (pool) => pool`select 1 from mails where recipient = ${owner.email}`
})

retentionTest("imports.tidy", async ({ sql, store }, org) => {
  const { id } = await anImport(sql, { org })
  await store.put(`${org.id}/imports/${id}/rows`, Buffer.from("rows"))
  await sql`update imports set created_time = now() - interval '31 days' where id = ${id}`
  return (pool) => pool`select 1 from imports where id = ${id}`
})

retentionTest("sessions.remove-expired", async ({ sql }, { owner }) => {
  const id = newId()
  await sql`
    insert into account_codes (id, account_id, kind, hash, expires_at)
    values (${id}, ${owner.accountId}, 'reset', ${hashOf(id)}, now() - interval '2 days')`
  return (pool) => pool`select 1 from account_codes where id = ${id}`
})

retentionTest("single-sign-on.remove-expired", async ({ sql }, org) => {
  const hash = hashOf(newId())
  await sql`
    insert into sso_assertions (organization_id, hash, expires_at) values (${org.id}, ${hash}, now() - interval '1 hour')`
  return (pool) => pool`select 1 from sso_assertions where hash = ${hash}`
})

retentionTest("onboarding.remove-unconfirmed", async ({ sql }) => {
  const { id, owner } = await anOrganization(sql)
  await sql`update organizations set status = 'pending', created_time = now() - interval '9 days' where id = ${id}`
  await sql`update users set is_first_owner = true where organization_id = ${id}`
  // Half done where the account stays without its organization.
  return (pool) => pool`
    select 1 from accounts where id = ${owner.accountId} or exists (select from organizations where id = ${id}) limit 1`
})

retentionTest("tasks.forget-receipts", async ({ sql }, org) => {
  const id = newId()
  await sql`
    insert into task_receipts (organization_id, id, created_time) values (${org.id}, ${id}, now() - interval '8 days')`
  return (pool) => pool`select 1 from task_receipts where id = ${id}`
})

retentionTest("task-schedules.forget-old-runs", async ({ sql }, org) => {
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const schedule = await aSchedule(sql, { org, hub, flow })
  await sql`
    insert into task_schedule_runs (organization_id, schedule_id, executed_time, id, status, message)
    values (${org.id}, ${schedule.id}, now() - interval '91 days', ${newId()}, 'SKIPPED', '{}')`
  return (pool) => pool`select 1 from task_schedule_runs where schedule_id = ${schedule.id}`
})

retentionTest("location.drop-old-partitions", async ({ sql }) => {
  // Of another organization than the one whose counts are checked: a partition is detached outside of any transaction, so
  // its counts are right again when the job, which is retried, has come to its end.
  const { id, owner } = await anOrganization(sql)
  const time = "2019-03-05T08:00:00Z"
  await sql`select ensure_location_partition(${time}::timestamptz)`
  await sql`
    insert into location_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint)
    select ${time}::timestamptz, ${time}::timestamptz, 52, 5, organizations.number, users.number, 1
    from organizations join users on users.organization_id = organizations.id and users.id = ${owner.id}
    where organizations.id = ${id}`
  await sql`
    insert into location_counts (organization_number, month, count)
    select number, '2019-03-01', 1 from organizations where id = ${id}`
  // Hidden from everybody first; then its space is freed.
  return (pool) => pool`select 1 from pg_class where relname = 'location_points_201903'`
})
