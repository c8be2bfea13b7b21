import assert from "node:assert/strict"
import { test } from "node:test"
import type { Permission } from "#core/permissions.ts"
import { aDataType, aHub, anImport, aRecord, aTask, aToken, aUser, type Person } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const viewOf = (address: string) => `/file/view?url=${encodeURIComponent(address)}`
const jpeg = Buffer.from("/9j/4AAQSkZJRgABAQEAYABgAAD/wAARCAAKAAoDASIAAhEBAxEB/9k=", "base64")

async function aScene() {
  const server = await testOrganization()
  const { sql, app, as, org } = server
  const [here, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const permissions: Permission[] = ["view/task", "edit/task", "do/task", "view/data"]
  const person = (hub: typeof here, more: Permission[] = []) =>
    aUser(sql, { org, hubs: [hub], permissions: [...permissions, ...more] })
  const status = async (who: Person, address: string) => (await as(who).get(viewOf(address))).statusCode
  const store = async (path: string) => {
    const key = `${org.id}/${path}`
    await app.objects.put(key, Buffer.from("bytes"))
    return app.links.plain(key)
  }
  const upload = async (who: Person, name: string) => {
    const reply = await as(who)
      .expect(200)
      .upload(`/task/photo/${name}`, {
        photo: { filename: "a.jpg", content: jpeg, contentType: "image/jpeg" },
      })
    return reply.json().url as string
  }
  return { ...server, org, here, elsewhere, person, status, store, upload }
}

test("a task's photo is read by those who see the task, and by the person who uploaded it", async () => {
  const { sql, nobody, org, here, elsewhere, person, status, store, upload } = await aScene()
  const task = await aTask(sql, { org, hub: here })
  const [near, far] = [await person(here), await person(elsewhere)]
  const onlyMine = await person(here, ["view/task/only-me"])
  const noTasks = await aUser(sql, { org, hubs: [here], permissions: ["view/hub"] })
  const old = await store(`2031/05/04/1_${task.id}_0_photo.jpg`)
  const fresh = await upload(far, "unnamed")
  for (const [who, code] of [
    [near, 200],
    [far, 404],
    [onlyMine, 404],
    [noTasks, 404],
  ] as const)
    assert.equal(await status(who, old), code)
  assert.equal(await status(far, fresh), 200)
  assert.equal(await status(near, fresh), 404)
  for (const [scopes, code] of [
    [["view/task"], 200],
    [["view/hub"], 404],
  ] as const) {
    const { token } = await aToken(sql, { person: org.owner, scopes })
    assert.equal((await nobody.get(viewOf(old), { authorization: `Bearer ${token}` })).statusCode, code)
  }
})

test("a photo that is sent again for its task is stored once", async () => {
  const { sql, org, here, person, upload, clock, as } = await aScene()
  const [task, other] = [await aTask(sql, { org, hub: here }), await aTask(sql, { org, hub: here })]
  const worker = await person(here)
  const first = await upload(worker, `${task.id}_0_proof`)
  clock.move({ seconds: 90 })
  assert.equal(await upload(worker, `${task.id}_0_proof`), first, "a device that lost the response")
  const atOnce = await Promise.all([1, 2, 3].map(() => upload(worker, `${task.id}_2_proof`)))
  assert.equal(new Set(atOnce).size, 1)
  const apart = [
    await upload(worker, `${task.id}_1_proof`),
    await upload(worker, `${other.id}_0_proof`),
    await upload(await person(here), `${task.id}_0_proof`),
  ]
  const changed = { filename: "a.jpg", content: Buffer.concat([jpeg, Buffer.from([0])]) }
  apart.push((await as(worker).upload(`/task/photo/${task.id}_0_proof`, { photo: changed })).json().url)
  assert.equal(new Set([first, ...atOnce, ...apart]).size, 6, "anything else is a photo of its own")
})

test("a photo whose upload the database cannot record is worth another try", async (t) => {
  const { sql, org, here, person, as, upload } = await aScene()
  const task = await aTask(sql, { org, hub: here })
  const worker = await person(here)
  await sql.unsafe(`create function refuse_photo() returns trigger language plpgsql as $$
    begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
    create trigger refuse_photo before insert on loose_files for each row when (new.key like '%${task.id}%') execute function refuse_photo()`)
  t.after(() => sql.unsafe("drop function if exists refuse_photo cascade"))
  const photo = { filename: "a.jpg", content: jpeg, contentType: "image/jpeg" }
  const refused = await as(worker).upload(`/task/photo/${task.id}_0_proof`, { photo })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [503, "sys-045"])
  await sql.unsafe("drop function refuse_photo cascade")
  await upload(worker, `${task.id}_0_proof`)
})

test("a reference opens a file only when its writer may read it themselves", async () => {
  const { sql, org, here, elsewhere, person, status, store, upload } = await aScene()
  const [secret, own] = [await aTask(sql, { org, hub: here }), await aTask(sql, { org, hub: elsewhere })]
  const [near, far] = [await person(here), await person(elsewhere)]
  const guessed = await store(`2031/05/04/1_${secret.id}_0_photo.jpg`)
  const write = (task: { id: string }, url: string, email: string) =>
    sql`update tasks set "values" = "values" || jsonb_build_object('photo_0_url', ${url}::text), updated_by = ${email} where id = ${task.id}`
  await write(own, guessed, far.email)
  assert.equal(await status(far, guessed), 404, "a guessed address in a task of one's own opens nothing")
  const handedOver = await aTask(sql, { org, hub: elsewhere })
  await write(handedOver, guessed, org.owner.email)
  assert.equal(await status(far, guessed), 200, "the owner, who sees the photo, put it into this task")
  const uploaded = await upload(near, "new")
  assert.equal(await status(far, uploaded), 404)
  await write(secret, uploaded, near.email)
  assert.equal(await status(await person(here), uploaded), 200)
})

test("a record's file is read by those who see the record", async () => {
  const { sql, org, here, elsewhere, person, status, store } = await aScene()
  const type = await aDataType(sql, { org, limitUser: true })
  const [near, far, named] = [await person(here), await person(elsewhere), await person(here)]
  const url = await store("2031/05/04/1_label.jpg")
  await aRecord(sql, { org, type, hub: here, values: { note: url }, limitUser: [named] })
  await sql`update file_links set linked_by = null where organization_id = ${org.id}`
  assert.deepEqual(await Promise.all([near, far, named].map((who) => status(who, url))), [404, 404, 200])
})

test("avatars, exports, failed rows and templates are read as their owners are; other keys by nobody", async () => {
  const { sql, app, nobody, org, here, elsewhere, person, status, store } = await aScene()
  const [reader, importer, far] = [
    await person(here, ["view/user"]),
    await person(here, ["import/data"]),
    await person(elsewhere, ["import/data"]),
  ]
  const avatar = await store("avatars/6a01c0ffee5de0b4a7710c11.png")
  await sql`update users set avatar = ${avatar} where organization_id = ${org.id} and id = ${far.id}`
  assert.deepEqual(
    await Promise.all([reader, importer, far].map((who) => status(who, avatar))),
    [200, 404, 200],
  )
  const failed = await store("failed/x/failed_rows.xlsx")
  const { id } = await anImport(sql, { org })
  await sql`update imports set failed_key = ${app.links.keyOf(failed) ?? ""}, hub_id = ${here.id} where id = ${id}`
  assert.deepEqual(
    await Promise.all([reader, importer, far].map((who) => status(who, failed))),
    [404, 200, 404],
  )
  const template = await store("templates/template_task.xlsx")
  assert.deepEqual(await Promise.all([reader, importer].map((who) => status(who, template))), [404, 200])
  const closed = [
    await store("exports/20310504/x/tasks.csv"),
    await store("imports/x/rows"),
    await store("other/x"),
  ]
  for (const address of closed) assert.equal(await status(org.owner, address), 404, address)
  await sql`update organizations set configuration = configuration || '{"filesAccessPermission": "public"}' where id = ${org.id}`
  assert.equal((await nobody.get(viewOf(avatar))).statusCode, 200)
  for (const address of [...closed, failed, template])
    assert.ok([401, 404].includes((await nobody.get(viewOf(address))).statusCode), address)
})
