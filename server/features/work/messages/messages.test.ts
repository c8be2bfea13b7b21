import assert from "node:assert/strict"
import { test } from "node:test"
import { aDataType, aHub, aRecord, aTask, aUser, type Person } from "#samples/builders.ts"
import { aResult } from "#samples/routing-builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const jpeg = Buffer.from("/9j/4AAQSkZJRgABAQEAYABgAAD/wAARCAAKAAoDASIAAhEBAxEB/9k=", "base64")

async function aTeam() {
  const server = await testOrganization()
  const { sql, as, org } = server
  const [hub, elsewhere] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const eva = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const finn = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const planner = await aUser(sql, { org, hubs: [hub], role: "planner" })
  const stranger = await aUser(sql, { org, hubs: [elsewhere], role: "planner" })
  const task = await aTask(sql, { org, hub, assignee: [eva], status: "ONGOING" })
  const read = async (who: Person, of: string) => (await as(who).expect(200).get(`/messages?${of}`)).json()
  const texts = async (who: Person, of: string) =>
    ((await read(who, of)).data as { text: string }[]).map(({ text }) => text)
  const list = async (who: Person) => (await as(who).expect(200).get("/conversations")).json()
  const upload = async (who: Person, name: string) =>
    (
      await as(who)
        .expect(200)
        .upload(`/task/photo/${name}`, {
          photo: { filename: "a.jpg", content: jpeg, contentType: "image/jpeg" },
        })
    ).json().url as string
  return { ...server, org, hub, eva, finn, planner, stranger, task, read, texts, list, upload }
}

test("messages about a task reach those who see it, once, with read receipts and unread counts", async () => {
  const { as, eva, finn, planner, stranger, task, read, texts, list, sql } = await aTeam()
  const of = `taskId=${task.id}`
  await as(eva).expect(200).get("/notices")
  const message = { taskId: task.id, messageId: "phone-0001", text: " Gate is locked\r\n" }
  const first = (await as(eva).expect(201).post("/message", message)).json().data
  const again = (
    await as(eva)
      .expect(201)
      .post("/message", { ...message, text: "Gate is locked" })
  ).json().data
  assert.deepEqual(again, first)
  assert.deepEqual([first.text, first.authorId, first.messageId], ["Gate is locked", eva.id, "phone-0001"])
  await as(planner).expect(201).post("/message", { taskId: task.id, text: "Code 4711" })
  assert.deepEqual(await texts(eva, of), ["Code 4711", "Gate is locked"])
  for (const who of [finn, stranger]) {
    await as(who).expect(404).get(`/messages?${of}`)
    await as(who).expect(404).post("/message", { taskId: task.id, text: "x" })
    assert.deepEqual((await list(who)).data, [])
  }
  const { data } = await list(eva)
  assert.deepEqual([data[0].taskId, data[0].lastText, data[0].unread], [task.id, "Code 4711", 1])
  assert.equal((await list(planner)).data[0].unread, 0, "one's own message is read")
  const { data: notices } = (await as(eva).get("/notices")).json()
  assert.deepEqual([notices[0].kind, notices[0].taskId, notices.length], ["message", task.id, 1])

  const newest = (await read(eva, of)).data[0]._id
  await as(eva).expect(200).put("/messages/read", { taskId: task.id, until: newest })
  assert.equal((await list(eva)).data[0].unread, 0)
  const { readers } = await read(planner, of)
  assert.deepEqual(
    [readers[0].userId, readers[0].readUntil],
    [eva.id, (await read(eva, of)).data[0].createdTime],
  )
  const live =
    await sql`select 1 from live_events where type = 'message.task' and emails @> array[${eva.email}]`
  assert.equal(live.length, 3, "two messages and a receipt")
  const older = (await read(eva, `${of}&limit=1&before=${newest}`)).data
  assert.deepEqual(older, [first])
})

test("messages with a person are between them and the planners of their hubs", async () => {
  const { as, org, eva, finn, planner, stranger, texts, list, sql } = await aTeam()
  const of = `userId=${eva.id}`
  await as(planner).expect(201).post("/message", { userId: eva.id, text: "Please call" })
  await as(eva).expect(201).post("/message", { userId: eva.id, text: "In five minutes" })
  for (const who of [eva, planner, org.owner]) assert.equal((await texts(who, of)).length, 2)
  for (const who of [finn, stranger]) {
    await as(who).expect(404).get(`/messages?${of}`)
    await as(who).expect(404).post("/message", { userId: eva.id, text: "x" })
    await as(who).expect(404).put("/messages/read", { userId: eva.id, until: "6a01c0ffee5de0b4a7710c11" })
    assert.deepEqual((await list(who)).data, [])
  }
  assert.equal((await list(planner)).data[0].userId, eva.id)
  const [event] = await sql<{ hubId: string; owner: string }[]>`
    select hub_id, owner from live_events where type = 'message.person' and organization_id = ${org.id} limit 1`
  assert.equal(event?.owner, eva.email)
  await as(eva).expect(400).post("/message", { text: "To nobody" })
  await as(eva).expect(400).post("/message", { userId: eva.id, text: " \u0007 " })
  await as(org.owner)
    .expect(200)
    .put(`/organization/${org.id}`, { configuration: { quickReplies: ["On my way"] } })
  assert.deepEqual((await list(eva)).quickReplies, ["On my way"])
})

test("a photo in a message is read by those who read the message, and nobody sends a photo of others", async () => {
  const { as, eva, finn, planner, stranger, upload } = await aTeam()
  const photo = await upload(eva, "message_0_photo")
  const view = `/file/view?url=${encodeURIComponent(photo)}`
  await as(planner).expect(404).get(view)
  await as(finn)
    .expect(400)
    .post("/message", { userId: finn.id, photos: [photo] })
  await as(eva)
    .expect(400)
    .post("/message", { userId: eva.id, photos: ["https://elsewhere.example/files/x.jpg"] })
  const sent = await as(eva)
    .expect(201)
    .post("/message", { userId: eva.id, photos: [photo] })
  assert.deepEqual(sent.json().data.photos, [photo])
  await as(planner).expect(200).get(view)
  for (const who of [finn, stranger]) await as(who).expect(404).get(view)
})

test("comments on records and routes reach those who see them; people who are mentioned get a notice", async () => {
  const { as, eva, planner, stranger, sql, org, hub } = await aTeam()
  const type = await aDataType(sql, { org })
  const record = await aRecord(sql, { org, type, hub })
  const { id: resultId } = await aResult(sql, { org, hub })
  for (const [key, title] of [
    [{ recordId: record.id }, /: /],
    [{ resultId }, /^A plan$/],
  ] as const) {
    const said = { ...key, text: "@Planner please look", mentions: [planner.id] }
    const { data } = (await as(org.owner).expect(201).post("/message", said)).json()
    assert.deepEqual(data.mentions, [planner.id])
    const query = new URLSearchParams(key).toString()
    assert.equal((await as(planner).expect(200).get(`/messages?${query}`)).json().data[0].text, said.text)
    await as(stranger).expect(404).get(`/messages?${query}`)
    const { data: listed } = (await as(planner).expect(200).get("/conversations")).json()
    assert.match(listed[0].title, title)
    const [notice] = (await as(planner).expect(200).get("/notices")).json().data
    assert.deepEqual([notice.kind, notice.aboutId], ["mention", Object.values(key)[0]])
    const refused = await as(org.owner)
      .expect(400)
      .post("/message", { ...key, text: "hello", mentions: [stranger.id] })
    assert.match(refused.body, /cannot see this/)
    const namesOf = async (q: string) =>
      (await as(org.owner).expect(200).get(`/messages/people?${query}&q=${q}`))
        .json()
        .data.map(({ _id }: { _id: string }) => _id)
    assert.deepEqual([await namesOf(planner.email), await namesOf(stranger.email)], [[planner.id], []])
    await as(stranger).expect(404).get(`/messages/people?${query}`)
  }
  await as(eva).expect(404).get(`/messages?resultId=${resultId}`)
  await as(org.owner).expect(400).get(`/messages?resultId=${resultId}&recordId=${record.id}`)
})
