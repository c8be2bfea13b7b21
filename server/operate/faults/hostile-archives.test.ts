import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type TestContext, test } from "node:test"
import { gunzipSync, gzipSync } from "node:zlib"
import type { Config } from "#core/config.ts"
import { connect } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { createObjects } from "#core/objects/objects.ts"
import { createLog } from "#core/telemetry/log.ts"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { databaseUrl } from "#testing/test-database.ts"
import { temporaryFolder } from "#testing/test-process.ts"
import type { ArchiveTable, Manifest } from "../archive/manifest.ts"
import { exportOrganization } from "../organization-export.ts"
import { importOrganization } from "../organization-import.ts"

const log = createLog("silent")
const digest = (content: Buffer | string) => createHash("sha256").update(content).digest("hex")

/** An archive that somebody edits, as its owner can: every checksum is made to fit afterwards. */
class Forgery {
  readonly folder: string
  manifest: Manifest
  constructor(folder: string, manifest: Manifest) {
    this.folder = folder
    this.manifest = manifest
  }

  table(name: string): ArchiveTable {
    const table = this.manifest.tables.find((each) => each.name === name)
    assert.ok(table, name)
    return table
  }

  async rewrite(name: string, edit: (rows: string[][], columns: string[]) => string[][]): Promise<void> {
    const table = this.table(name)
    const path = join(this.folder, table.file)
    const lines = gunzipSync(await readFile(path))
      .toString("latin1")
      .split("\n")
      .slice(0, -1)
    const rows = edit(
      lines.map((line) => line.split("\t")),
      table.columns,
    )
    const content = gzipSync(Buffer.from(rows.map((row) => `${row.join("\t")}\n`).join(""), "latin1"))
    await writeFile(path, content)
    Object.assign(table, { rows: rows.length, bytes: content.length, sha256: digest(content) })
  }

  /** Puts `value` into the first row's column. */
  set(name: string, column: string, value: string): Promise<void> {
    return this.rewrite(name, (rows, columns) => {
      const first = rows[0]
      assert.ok(first, `${name} has a row`)
      first[columns.indexOf(column)] = value
      return rows
    })
  }

  async addObject(key: string, content: string): Promise<void> {
    const path = join(this.folder, "objects", key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    await this.listObject(key, content)
  }

  async listObject(key: string, content: string): Promise<void> {
    const list = join(this.folder, this.manifest.objects.file)
    const text = `${await readFile(list, "utf8")}${JSON.stringify({ key, bytes: content.length, sha256: digest(content) })}\n`
    await writeFile(list, text)
    Object.assign(this.manifest.objects, { bytes: Buffer.byteLength(text), sha256: digest(text) })
  }

  async seal(): Promise<void> {
    const text = JSON.stringify(this.manifest)
    await writeFile(join(this.folder, "manifest.json"), text)
    await writeFile(join(this.folder, "manifest.json.sha256"), digest(text))
  }
}

/** An exported organization, an installation with another one, and a way to forge copies of the export. */
async function scene(t: TestContext) {
  const server = await testOrganization(t)
  const { sql, app, org } = server
  const hub = await aHub(sql, { org })
  await aTask(sql, { org, hub, flow: await aFlow(sql, { org }) })
  await server.as(org.owner).expect(201).post("/location-history", { email: org.owner.email, lat: 1, lon: 2 })
  await app.objects.put(`${org.id}/2031/05/04/1_photo.jpg`, Buffer.from("a photo"))
  await sql`
    insert into file_links (organization_id, key, owner_type, owner_id)
    values (${org.id}, ${`${org.id}/2031/05/04/1_photo.jpg`}, 'task', ${newId()})`
  const folder = await temporaryFolder(t)
  const config: Config = { ...server.config, databaseUrl: server.databaseUrl }
  const { manifest } = await exportOrganization(config, log, org.id, join(folder, "good"))
  const name = `other_${newId()}`
  await sql.unsafe(`create database ${name} template fieldway_template`)
  const target: Config = {
    ...config,
    databaseUrl: databaseUrl(server.databaseUrl, name),
    objectsUrl: `file://${folder}/objects`,
  }
  const there = connect(target.databaseUrl ?? "", { max: 2 })
  t.after(async () => {
    await there.end({ timeout: 1 })
    await sql.unsafe(`drop database if exists ${name} with (force)`)
  })
  const victim = await anOrganization(there)
  const forged = async (edit: (forgery: Forgery) => Promise<void> | void): Promise<string> => {
    const path = join(folder, "forged")
    await rm(path, { recursive: true, force: true })
    await cp(join(folder, "good"), path, { recursive: true })
    const forgery = new Forgery(path, structuredClone(manifest))
    await edit(forgery)
    await forgery.seal()
    return path
  }
  return { org, victim, target, there, forged }
}

test("an archive that claims what is not its organization's is refused, and nothing of it arrives", async (t) => {
  const { org, victim, target, there, forged } = await scene(t)
  const foreignKey = `${victim.id}/2031/05/04/1_photo.jpg`
  const attempts: Record<string, [(forgery: Forgery) => Promise<void> | void, RegExp]> = {
    "a row of another organization": [
      (it) => it.set("hubs", "organization_id", victim.id),
      /row 1 of hubs has organization_id/,
    ],
    "another organization's settings": [
      (it) => it.set("organizations", "id", victim.id),
      /organizations has id/,
    ],
    "positions under another number": [
      (it) => it.set("location_points", "organization_number", "999"),
      /organization_number/,
    ],
    "positions of another organization's people": [
      (it) => it.set("location_points", "person_number", "-5"),
      /person_number/,
    ],
    "a person with a number out of its range": [
      (it) => it.set("users", "number", "999999999"),
      /users has number/,
    ],
    "an id that is none": [(it) => it.set("tasks", "id", "../../etc"), /tasks has id/],
    "a file link to another organization": [
      (it) => it.set("file_links", "key", foreignKey),
      /file_links has key/,
    ],
    "a file link out of the store": [
      (it) => it.set("file_links", "key", `${org.id}/../${foreignKey}`),
      /file_links has key/,
    ],
    "an account of nobody": [
      (it) =>
        it.rewrite("accounts", ([first = [], ...rest]) => [first, [newId(), ...first.slice(1)], ...rest]),
      /nobody of the organization has the account/,
    ],
    "a file of another organization": [
      (it) => it.addObject(foreignKey, "forged"),
      /its file .* is not of organization/,
    ],
    "a private file": [
      (it) => it.addObject(`${org.id}/private/key`, "forged"),
      /its file .* is not of organization/,
    ],
    "a file out of the store": [(it) => it.listObject(`${org.id}/../x`, "forged"), /differs|damaged/],
    "a link to a file of the machine": [
      async (it) => {
        const key = `${org.id}/passwd`
        await symlink("/etc/passwd", join(it.folder, "objects", key))
        await it.listObject(key, await readFile("/etc/passwd", "latin1"))
      },
      /is not a regular file/,
    ],
    "a table that no organization has": [
      (it) => void it.manifest.tables.push({ ...it.table("hubs"), name: "schema_migrations" }),
      /table public\.schema_migrations/,
    ],
    "a table of the job queue": [
      (it) => void Object.assign(it.table("hubs"), { schema: "graphile_worker" }),
      /table graphile_worker\.hubs/,
    ],
    "a table twice": [(it) => void it.manifest.tables.push(it.table("hubs")), /hubs twice/],
    "a column that nobody knows": [
      (it) => void it.table("hubs").columns.splice(0, 1, "owned_by"),
      /column hubs\.owned_by/,
    ],
    "a table without its owner": [
      async (it) => {
        const place = it.table("hubs").columns.indexOf("organization_id")
        await it.rewrite("hubs", (rows) => rows.map((row) => row.toSpliced(place, 1)))
        it.table("hubs").columns.splice(place, 1)
      },
      /lacks the column hubs\.organization_id/,
    ],
    "line breaks that PostgreSQL reads otherwise": [
      (it) => it.set("hubs", "name", `x\r${victim.id}`),
      /number of columns/,
    ],
    "more rows than it says": [
      (it) => void Object.assign(it.table("hubs"), { rows: 7 }),
      /hubs has 1 rows, not 7/,
    ],
    "people without number": [
      (it) => void Object.assign(it.manifest.sequences[0] ?? {}, { value: 2 ** 40 }),
      /more people/,
    ],
  }
  const count = async () => {
    const rows = await there<{ organizations: number; accounts: number }[]>`
      select (select count(*) from organizations) as organizations, (select count(*) from accounts) as accounts`
    return [...rows]
  }
  const before = await count()
  for (const [what, [edit, refusal]] of Object.entries(attempts))
    await assert.rejects(importOrganization(target, log, await forged(edit)), refusal, what)
  assert.deepEqual(await count(), before)
  const store = await createObjects(target)
  for (const { id } of [org, victim]) assert.deepEqual(await Array.fromAsync(store.list(id)), [])
})

test("jobs that an archive brings along are never run", async (t) => {
  const { org, target, there, forged } = await scene(t)
  const folder = await forged(async (it) => {
    const columns = [
      "identifier",
      "payload",
      "queue_name",
      "run_at",
      "max_attempts",
      "attempts",
      "key",
      "priority",
    ]
    const payload = JSON.stringify({ organizationId: org.id })
    const row = ["organization.delete", payload, "\\N", "2031-01-01 00:00:00+00", "5", "0", "\\N", "0"]
    const file = "tables/waiting_jobs.copy.gz"
    const content = gzipSync(`${row.join("\t")}\n`)
    await writeFile(join(it.folder, file), content)
    const facts = { file, bytes: content.length, sha256: digest(content) }
    it.manifest.tables.push({ ...facts, schema: "public", name: "waiting_jobs", columns, rows: 1 })
  })
  await importOrganization(target, log, folder)
  assert.equal((await there`select from organizations where id = ${org.id}`).length, 1)
  assert.equal((await there`select from graphile_worker._private_jobs`).length, 0)
})
