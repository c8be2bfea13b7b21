import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { promisify } from "node:util"
import type { Config } from "#core/config.ts"
import { connect, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { createObjects } from "#core/objects/objects.ts"
import { createLog } from "#core/telemetry/log.ts"
import { anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { databaseUrl } from "#testing/test-database.ts"
import { jobs } from "../jobs.ts"
import { derived, ownRows, passing, tenantTables } from "./archive/tenant-tables.ts"
import { deleteWithProof } from "./organization-delete.ts"
import { exportOrganization } from "./organization-export.ts"
import { importOrganization } from "./organization-import.ts"

const log = createLog("silent")

/** Something of everything that the tests can make, a position and a photo among it. */
async function filled({ sql, as, app }: TestApp): Promise<Organization> {
  const org = await anOrganization(sql, { password: "Harbour-27" })
  for (const make of Object.values(pathValues)) await make(sql, org)
  const point = await as(org.owner).post("/location-history", { email: org.owner.email, lat: 1.5, lon: 2.5 })
  assert.equal(point.json().status, true, point.body)
  await app.objects.put(`${org.id}/2031/05/04/1_photo.jpg`, Buffer.from("a photo"))
  return org
}

/** A van with a driver, meters, stock, an inspection and its defect: what the tables of the fleet hold. */
async function aFleet({ sql, as }: TestApp, org: Organization): Promise<void> {
  const owner = as(org.owner)
  const hub = (await owner.post("/hub", { name: "Depot", address: "Quay 2", lat: 1, lng: 2 })).json().data
  const van = { name: "Van 3", hubId: hub._id, assignee: org.owner.email }
  const vehicleId: string = (await owner.post("/vehicle", van)).json().data._id
  await owner.post(`/vehicle/${vehicleId}/reading`, { odometerKilometers: 1200, engineHours: 40 })
  const item = (await owner.post("/stock-item", { code: "F-22", name: "Filter" })).json().data
  await owner.post("/stock-movement", { itemId: item._id, kind: "receipt", quantity: 4, to: { vehicleId } })
  await sql`
    insert into vehicle_hours (organization_id, vehicle_id, hour, meters, engine_seconds, by_device)
    values (${org.id}, ${vehicleId}, date_trunc('hour', now()), 1500, 600, false)`
  await sql`
    insert into vehicle_inspections (organization_id, vehicle_id, flow_id, vehicle_hub_id, day)
    values (${org.id}, ${vehicleId}, ${newId()}, ${hub._id}, current_date)`
  await sql`
    insert into vehicle_defects (organization_id, id, vehicle_id, task_id, component_id, name, value, found_by, found_at)
    values (${org.id}, ${newId()}, ${vehicleId}, ${newId()}, 'lights', 'Lights', 'Defect', ${org.owner.email}, now())`
  const { number } =
    (await sql<{ number: number }[]>`select number from organizations where id = ${org.id}`)[0] ?? {}
  await sql`
    insert into location_sessions (organization_number, person_number, id, received_at, recorded_at, started_at, lat, lng, finished_at,
      updated_at, is_counted, moving, off_duty, vehicle_id, shift_on, shift_seconds, load_used)
    select ${number ?? 0}, number, ${`${org.id}_session`}, now(), now(), now() - interval '1 hour', 1, 2, now(), now(), true,
      tstzmultirange(tstzrange(now() - interval '1 hour', now() - interval '20 minutes')), '{}', ${vehicleId}, current_date, 28800, 0.4
    from users where organization_id = ${org.id} and id = ${org.owner.id}`
}

const fleetTables = [
  ...[
    "equipment",
    "maintenance_plans",
    "maintenance_entries",
    "stock_items",
    "stock_levels",
    "stock_movements",
  ],
  ...["vehicle_drivers", "vehicle_hours", "vehicle_meters", "vehicle_readings", "vehicle_inspections"],
  ...["vehicle_defects", "location_sessions"],
]

/** A second installation: an empty, migrated database and a folder of its own. */
async function anotherInstallation(t: TestContext, { sql, config, databaseUrl: url }: TestApp) {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-other-"))
  const name = `other_${newId()}`
  await sql.unsafe(`create database ${name} template fieldway_template`)
  const target: Config = {
    ...config,
    databaseUrl: databaseUrl(url, name),
    objectsUrl: `file://${folder}/objects`,
  }
  const there = connect(target.databaseUrl ?? "", { max: 2 })
  t.after(async () => {
    await there.end({ timeout: 1 })
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, target, there }
}

/** Rows by table, without the numbers and transactions that each installation gives out itself. */
async function contents(sql: Pool, organizationId: string): Promise<Record<string, string[]>> {
  const [row] = await sql<{ number: number }[]>`select number from organizations where id = ${organizationId}`
  const organization = { id: organizationId, number: row?.number ?? -1 }
  const own = ["organization_number", "person_number", "number", "xid"]
  const found: Record<string, string[]> = {}
  for (const table of await tenantTables(sql)) {
    if (passing.has(table.name) || derived.has(table.name)) continue
    const columns = table.columns.filter(
      (name) => !own.includes(name) && !table.transactionColumns.includes(name),
    )
    const kind = table.name === "access_tokens" ? " and kind <> 'session'" : ""
    const rows = await sql.unsafe<{ row: string }[]>(
      `select to_jsonb(t)::text as row from (select ${columns.map((name) => `"${name}"`).join(", ")} from "${table.name}" where ${ownRows(table, organization)}${kind}) t`,
    )
    if (table.name !== "token_uses")
      found[table.name] = rows.map((each) => each.row.replaceAll(/"id": \d+, /g, "")).toSorted()
  }
  return found
}

test("an organization moves to another installation whole, beside what is there, and only once", async (t) => {
  const server = await testApp(t)
  const { sql, as } = server
  const org = await filled(server)
  await as(org.owner).post("/hub", { name: "Known", address: "Quay 1", lat: 1, lng: 2 })
  await aFleet(server, org)
  const { folder, target, there } = await anotherInstallation(t, server)
  const neighbour = await anOrganization(there)
  const twice = await aUser(there, { org: neighbour, role: "planner", email: org.owner.email })
  const archive = join(folder, "archive")
  const config = { ...server.config, databaseUrl: server.databaseUrl }
  const { manifest } = await exportOrganization(config, log, org.id, archive)
  assert.ok(manifest.tables.filter(({ rows }) => rows > 0).length > 25)

  // A run that breaks leaves no organization, and the next one succeeds.
  await there.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger refuse before insert on trash for each row execute function refuse()`)
  await assert.rejects(importOrganization(target, log, archive), /broken/)
  assert.equal((await there`select 1 from organizations where id = ${org.id}`).length, 0)
  await there.unsafe("drop function refuse() cascade")
  const imported = await importOrganization(target, log, archive)
  assert.deepEqual(imported.knownPeople, [org.owner.email])
  await assert.rejects(importOrganization(target, log, archive), /already exists here/)

  const [before, after] = [await contents(sql, org.id), await contents(there, org.id)]
  assert.deepEqual(
    fleetTables.filter((table) => (before[table] ?? []).length === 0),
    [],
    "every table of the fleet has rows to move",
  )
  for (const [table, rows] of Object.entries(before)) {
    const shown = (row: string) => (table === "users" ? row.replace(/"account_id": "\w+"/, "") : row)
    assert.deepEqual(after[table]?.map(shown), rows.map(shown), table)
  }
  const [account] = await there<
    { id: string }[]
  >`select account_id as id from users where id = ${org.owner.id}`
  assert.equal(account?.id, twice.accountId)
  const points = await there`
    select 1 from location_points p join organizations o on o.number = p.organization_number
    join users u on u.number = p.person_number and u.organization_id = o.id where o.id = ${org.id}`
  assert.equal(points.length, 1)
  const photo = await (await createObjects(target)).open(`${org.id}/2031/05/04/1_photo.jpg`)
  assert.ok(photo)
  assert.equal((await buffer(photo.stream)).toString(), "a photo")
})

test("an owner gets an archive of everything but secrets, and nobody else does", async (t) => {
  const server = await testApp(t)
  const { sql, as, nobody, app, jobContext } = server
  const org = await filled(server)
  const other = await anOrganization(sql, { password: "Harbour-27" })
  await aUser(sql, { org: other, role: "planner", email: org.owner.email })
  const [second, admin] = [
    await aUser(sql, { org, role: "owner", password: "Lantern-81" }),
    await aUser(sql, { org, role: "admin", password: "Lantern-81" }),
  ]
  const path = `/organization/${org.id}/archive`
  const ask = (by: Parameters<typeof as>[0], password: string) => as(by).post(path, { password })
  assert.equal((await ask(admin, "Lantern-81")).json().failedCode, "user-039")
  assert.equal((await ask(org.owner, "wrong")).json().failedCode, "org-038")
  assert.equal((await ask(other.owner, "Harbour-27")).statusCode, 404)
  assert.equal((await as(org.owner).get(path)).json().data, null)
  const asked = await ask(org.owner, "Harbour-27")
  assert.deepEqual(
    [asked.statusCode, asked.json().data.status, asked.json().data.link],
    [202, "making", null],
  )
  await app.objects.put(`${org.id}/private/organization-old.tar`, Buffer.from("an earlier archive"))
  const [wanted] = await sql<{ id: string }[]>`select id from organization_archives`
  const make = jobs.find(({ name }) => name === "organization.make-archive")
  for (let run = 0; run < 2; run += 1)
    await make?.handle(jobContext(), { organizationId: org.id, archiveId: wanted?.id ?? "" })
  const { data } = (await as(org.owner).get(path)).json()
  assert.equal(data.status, "ready")

  assert.equal((await as(second).get(path)).json().data.link, null)
  assert.equal((await as(admin).get(path)).statusCode, 403)
  assert.equal((await as(other.owner).get(path)).statusCode, 404)
  const [bare] = data.link.split("?")
  await sql.begin(async (tx) => {
    await tx`set local fieldway.origin = '{}'`
    await tx`update organizations set configuration = configuration || '{"filesAccessPermission":"public"}'`
  })
  const open = (link: string) => app.inject({ url: link.slice(new URL(link).origin.length) })
  const reads = [
    open(bare),
    open(data.link.replace(/signature=../, "signature=AA")),
    nobody.get(`/file/view?url=${encodeURIComponent(bare)}`),
    as(second).get(`/file/view?url=${encodeURIComponent(bare)}`),
  ]
  for (const reply of await Promise.all(reads)) assert.ok([403, 404].includes(reply.statusCode), reply.body)

  const { folder, target, there } = await anotherInstallation(t, server)
  const file = await open(data.link)
  assert.equal(file.rawPayload.length, data.bytes)
  await writeFile(join(folder, "archive.tar"), file.rawPayload)
  await promisify(execFile)("tar", ["-xf", join(folder, "archive.tar"), "-C", folder])
  await importOrganization(target, log, join(folder, "organization"))
  const [account] = await there`
    select password_hash, password_history, totp_secret, recovery_codes from accounts where email = ${org.owner.email}`
  assert.deepEqual(account, { passwordHash: null, passwordHistory: [], totpSecret: null, recoveryCodes: [] })
  const leftOut = new Set(["access_tokens", "oauth_clients", "scim_tokens"])
  const hidden = new Set([...leftOut, "mails"])
  const [before, after] = [await contents(sql, org.id), await contents(there, org.id)]
  for (const [table, rows] of Object.entries(before))
    assert.equal(after[table]?.length, leftOut.has(table) ? 0 : rows.length, table)
  for (const [table, rows] of Object.entries(before))
    if (!hidden.has(table) && !["users", "organizations"].includes(table))
      assert.deepEqual(after[table], rows, table)
  assert.deepEqual(await Array.fromAsync((await createObjects(target)).list(`${org.id}/private`)), [])
})

test("a deleted organization leaves a proof and nothing else", async (t) => {
  const server = await testApp(t)
  const { sql, nobody } = server
  const config = { ...server.config, databaseUrl: server.databaseUrl }
  const [org, other] = [await filled(server), await filled(server)]
  const kept = await contents(sql, other.id)
  await assert.rejects(deleteWithProof(config, log, org.id, "another name"), /Nothing was deleted/)
  const proof = await deleteWithProof(config, log, org.id, org.name)
  assert.ok(Object.keys(proof.removedRows).length > 25)
  assert.equal(proof.removedRows.location_points, 1)
  assert.equal(proof.removedFiles, 1)
  assert.ok(proof.removedAccounts > 0)
  assert.deepEqual([proof.leftRows, proof.leftFiles], [{}, 0])
  await nobody.expect(401).post("/login", { email: org.owner.email, password: "Harbour-27" })
  assert.deepEqual(await contents(sql, other.id), kept)
})
