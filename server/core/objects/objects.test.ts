import assert from "node:assert/strict"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { anS3Store } from "#testing/services/s3-store.ts"
import { testApp } from "#testing/test-app.ts"
import type { Caller } from "../access/caller.ts"
import { linkUpload } from "./file-owners.ts"
import { folderObjects } from "./folder-objects.ts"
import { datedKey, type Objects, safeName } from "./objects.ts"
import { s3Objects } from "./s3-objects.ts"

const organizationId = "6a01c0ffee5de0b4a7710c11"
const key = (name: string) => `${organizationId}/2031/05/04/${name}`

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-objects-"))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function holdsFiles(objects: Objects): Promise<void> {
  const size = await objects.put(key("1_a.txt"), Readable.from([Buffer.from("hello "), Buffer.from("world")]))
  assert.equal(size, 11)
  for (const name of ["2_b.txt", "3_c.txt", "4_d.txt", "5_e.txt"])
    await objects.put(key(name), Buffer.from(name))
  const found = await objects.open(key("1_a.txt"))
  assert.equal((await buffer(found?.stream ?? Readable.from([]))).toString(), "hello world")
  assert.equal((await Array.fromAsync(objects.list(organizationId))).length, 5)
  await objects.remove(key("2_b.txt"))
  assert.equal(await objects.open(key("2_b.txt")), undefined)
  await objects.removeUnder(organizationId)
  assert.deepEqual(await Array.fromAsync(objects.list(organizationId)), [])
}

test("a folder holds files, lists and removes them", async (t) =>
  holdsFiles(folderObjects(await temporaryFolder(t))))

test("an S3-compatible store does the same", async (t) => holdsFiles(s3Objects(await anS3Store(t))))

test("an upload that breaks leaves nothing behind", async (t) => {
  const folder = await temporaryFolder(t)
  const objects = folderObjects(folder)
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from("half")
      throw new Error("the line was cut")
    })(),
  )
  await assert.rejects(objects.put(key("1_half.txt"), broken), /cut/)
  assert.deepEqual(
    (await readdir(folder, { recursive: true })).filter((name) => name.includes("half")),
    [],
  )
})

test("no key leaves its organization", async (t) => {
  const objects = folderObjects(await temporaryFolder(t))
  for (const bad of [
    "../etc/passwd",
    `${organizationId}/../x`,
    `${organizationId}/a/../../x`,
    "/etc/passwd",
    `${organizationId}`,
    `${organizationId}/.hidden`,
  ])
    await assert.rejects(async () => objects.open(bad), /not an object/, bad)
  assert.equal(safeName("../../étage 3?.jpg"), "etage_3_.jpg")
  assert.equal(
    datedKey(organizationId, Temporal.Instant.from("2031-05-04T03:02:01Z"), "a b.jpg"),
    `${organizationId}/2031/05/04/1935630121_a_b.jpg`,
  )
})

test("a file is served by a signed link until it expires, to its organization by token, and to nobody else", async (t) => {
  const { app, sql, clock, as, nobody } = await testApp(t)
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  const ownKey = `${org.id}/2031/05/04/1_photo.jpg`
  await app.objects.put(ownKey, Buffer.from("jpeg"))
  const link = new URL(app.links.sign(ownKey, clock.now()))
  const shown = await app.inject({ url: link.pathname + link.search })
  assert.equal(shown.statusCode, 200)
  assert.equal(shown.headers["content-type"], "image/jpeg")
  assert.equal(shown.headers["x-content-type-options"], "nosniff")
  assert.match(String(shown.headers["content-disposition"]), /inline; filename="photo.jpg"/)
  const forged = link.search.replace(/signature=.{6}/, "signature=AAAAAA")
  assert.equal((await app.inject({ url: link.pathname + forged })).statusCode, 403)

  const view = `/file/view?url=${encodeURIComponent(app.links.plain(ownKey))}`
  assert.equal(
    (await as(org.owner).get(view)).statusCode,
    404,
    "nothing that the owner may read refers to it",
  )
  await linkUpload(
    sql,
    { organizationId: org.id, userId: org.owner.id, email: org.owner.email } as Caller,
    ownKey,
  )
  assert.equal((await as(org.owner).get(view)).body, "jpeg")
  assert.equal((await as(other.owner).get(view)).statusCode, 404)
  assert.equal((await nobody.get(view)).statusCode, 401)
  await as(org.owner)
    .expect(404)
    .get(`/file/view?url=${encodeURIComponent("http://169.254.169.254/latest")}`)
  const rowsKey = `${org.id}/imports/${org.id}/rows`
  await app.objects.put(rowsKey, Buffer.from("rows"))
  const neverIssued = `/file/view?url=${encodeURIComponent(app.links.plain(rowsKey))}`
  assert.equal((await as(org.owner).get(neverIssued)).statusCode, 404)
  await sql`update organizations set configuration = configuration || '{"filesAccessPermission": "public"}' where id = ${org.id}`
  assert.equal((await nobody.get(view)).statusCode, 200)
  clock.move({ hours: 25 })
  assert.equal((await app.inject({ url: link.pathname + link.search })).statusCode, 403)
})
