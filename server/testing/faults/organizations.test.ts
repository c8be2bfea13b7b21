import { newId } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, aTask } from "../builders/builders.ts"
import { selfSigned } from "../services/self-signed-certificate.ts"
import { faultTest } from "./run-operation.ts"
import type { World } from "./world.ts"

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
