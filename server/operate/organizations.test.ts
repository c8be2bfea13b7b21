import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import type { Config } from "#core/config.ts"
import { connect, type Pool } from "#core/database.ts"
import { newId } from "#core/ids.ts"
import { createLog } from "#core/log.ts"
import { createObjects } from "#core/objects/objects.ts"
import { anOrganization, aUser, type Organization } from "#testing/builders.ts"
import { pathValues } from "#testing/path-values.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { databaseUrl } from "#testing/test-database.ts"
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
  const own = ["organization_number", "person_number", "number"]
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
  const { folder, target, there } = await anotherInstallation(t, server)
  const neighbour = await anOrganization(there)
  const twice = await aUser(there, { org: neighbour, role: "planner", email: org.owner.email })
  const archive = join(folder, "archive")
  const config = { ...server.config, databaseUrl: server.databaseUrl }
  const manifest = await exportOrganization(config, log, org.id, archive)
  assert.ok(manifest.tables.filter(({ rows }) => rows > 0).length > 25)

  // A run that breaks leaves no organization, and the next one succeeds.
  await there.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger refuse before insert on trash for each row execute function refuse()`)
  await assert.rejects(importOrganization(target, log, archive), /broken/)
  assert.equal((await there`select 1 from organizations where id = ${org.id}`).length, 0)
  await there.unsafe("drop function refuse() cascade")
  const imported = await importOrganization(target, log, archive)
  assert.deepEqual(imported.knownPeople, [org.owner.email])
  await assert.rejects(importOrganization(target, log, archive), /exists here already/)

  const [before, after] = [await contents(sql, org.id), await contents(there, org.id)]
  for (const [table, rows] of Object.entries(before)) {
    const isUser = table === "users"
    const shown = (row: string) =>
      isUser ? row.replace(/"account_id": "\w+"/, "").replace(/"updated_time": "[^"]+"/, "") : row
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

test("a deleted organization leaves a proof and nothing else", async (t) => {
  const server = await testApp(t)
  const { sql, nobody } = server
  const config = { ...server.config, databaseUrl: server.databaseUrl }
  const [org, other] = [await filled(server), await filled(server)]
  const kept = await contents(sql, other.id)
  await assert.rejects(deleteWithProof(config, log, org.id, "another name"), /nothing was deleted/)
  const proof = await deleteWithProof(config, log, org.id, org.name)
  assert.ok(Object.keys(proof.removedRows).length > 25)
  assert.equal(proof.removedRows.location_points, 1)
  assert.equal(proof.removedFiles, 1)
  assert.ok(proof.removedAccounts > 0)
  assert.deepEqual([proof.leftRows, proof.leftFiles], [{}, 0])
  assert.equal(
    (await nobody.post("/login", { email: org.owner.email, password: "Harbour-27" })).statusCode,
    401,
  )
  assert.deepEqual(await contents(sql, other.id), kept)
})
