import assert from "node:assert/strict"
import { createHash, randomUUID } from "node:crypto"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { unzipped } from "#testing/unzipped.ts"

test("the evidence file has positions, changes, files and messages with their hashes, for those who may see them", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const task = await aTask(sql, { org, hub, assignee: [driver] })
  const now = Temporal.Now.instant()
  const key = `${org.id}/2031/05/07/1_${task.id}_0_door.jpg`
  await jobContext().objects.put(key, Buffer.from("a photo"))
  await sql`
    update tasks set start_time = ${now.subtract({ hours: 1 })}, end_time = ${now.add({ hours: 1 })}, assigned_time = null,
      "values" = ${sql.unsafe(`jsonb_build_object('photo_0_url', '${key}', 'gone', '${org.id}/2031/05/07/2_gone.jpg')`)}
    where id = ${task.id}`
  await as(driver).post("/location-history", {
    lat: 52,
    lon: 5,
    createdTime: toT3(now.subtract({ minutes: 20 })),
  })
  await as(org.owner).post("/message", { taskId: task.id, text: "Where are you?", messageId: randomUUID() })
  const response = await as(org.owner).get(`/task/${task.id}/evidence`)
  const files = await unzipped(response.rawPayload)
  const read = (path: string) => JSON.parse(files.get(path)?.toString() ?? "null")
  const manifest = read("manifest.json")
  for (const { path, sha256 } of manifest.files)
    assert.equal(
      createHash("sha256")
        .update(files.get(path) ?? "")
        .digest("hex"),
      sha256,
      path,
    )
  assert.equal(files.get(`files/2031_05_07_1_${task.id}_0_door.jpg`)?.toString(), "a photo")
  assert.deepEqual(manifest.missingFiles, [`${org.id}/2031/05/07/2_gone.jpg`])
  assert.equal(read(`positions/${driver.email}.json`)?.[0].lat, 52)
  assert.equal(read("task.json")._id, task.id)
  assert.ok(Array.isArray(read("changes.json")))
  const stranger = await aUser(sql, { org, role: "planner", hubs: [await aHub(sql, { org })] })
  assert.equal((await as(stranger).get(`/task/${task.id}/evidence`)).statusCode, 404)
})

test("the evidence file opens no file that its reader could not open, whatever a message or value names", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const [here, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const stranger = await aUser(sql, { org, role: "planner", hubs: [elsewhere] })
  const [secret, own] = [await aTask(sql, { org, hub: here }), await aTask(sql, { org, hub: elsewhere })]
  const keys = [
    `${org.id}/2031/05/07/1_${secret.id}_0_photo.jpg`,
    `${org.id}/exports/payroll.xlsx`,
    `${org.id}/private/archive.zip`,
  ]
  for (const key of keys) {
    await jobContext().objects.put(key, Buffer.from("secret"))
    const message = { taskId: own.id, text: key, messageId: randomUUID() }
    assert.equal((await as(stranger).post("/message", message)).statusCode, 201)
  }
  const files = await unzipped((await as(stranger).get(`/task/${own.id}/evidence`)).rawPayload)
  assert.deepEqual(
    [...files.keys()].filter((path) => path.startsWith("files/")),
    [],
  )
  assert.deepEqual(
    JSON.parse(files.get("manifest.json")?.toString() ?? "null").missingFiles.sort(),
    keys.sort(),
  )
})
