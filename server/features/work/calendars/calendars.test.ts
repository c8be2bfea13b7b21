import assert from "node:assert/strict"
import { test } from "node:test"
import ICAL from "ical.js"
import nodeIcal, { type VEvent } from "node-ical"
import { aFlow, aHub, aTask, aToken, aUser } from "#samples/builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import { testOrganization } from "#testing/test-app.ts"

const hour = 3_600_000

test("a feed shows a person's tasks in the hub's zone to two independent parsers, and stops with its owner", async (t) => {
  const { app, clock, sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org, timeZone: "America/New_York" })
  const flow = await aFlow(sql, { org })
  const person = await aUser(sql, { org, name: "Paz, Ana; \\ B", role: "planner", hubs: [hub] })
  // The days on both sides of the end of summer time, and a title that needs escaping and folding.
  const title = `Boiler; annual, "check" \\ ${"long ".repeat(30)}\nsecond line é`
  const starts = ["2026-10-31T13:00:00Z", "2026-11-02T14:00:00Z"]
  clock.move("2026-10-20T00:00:00Z")
  t.after(() => clock.move(Temporal.Now.instant().toString()))
  for (const startTime of starts)
    await aTask(sql, {
      org,
      hub,
      flow,
      assignee: [person],
      title,
      startTime: Temporal.Instant.from(startTime),
      endTime: Temporal.Instant.from(startTime).add({ hours: 2 }),
    })
  await aTask(sql, { org, hub, flow, assignee: [org.owner], title: "Not for them" })
  const made = (await as(person).expect(200).post("/calendar-feed", { kind: "person" })).json().data
  const read = async (headers = {}) => app.inject({ url: new URL(made.url).pathname, headers })
  const reply = await read()
  assert.match(String(reply.headers["content-type"]), /^text\/calendar/)
  for (const line of reply.body.split("\r\n")) assert.ok(Buffer.byteLength(line) <= 75, line)

  const component = new ICAL.Component(ICAL.parse(reply.body))
  for (const zone of component.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone)
  const events = component.getAllSubcomponents("vevent").map((event) => new ICAL.Event(event))
  assert.deepEqual(
    events.map((event) => event.startDate.toJSDate().toISOString()),
    starts.map((start) => new Date(start).toISOString()),
  )
  assert.deepEqual(
    events.map((event) => event.startDate.hour),
    [9, 9],
  )
  assert.equal(events[0]?.summary, title)
  assert.ok(reply.body.includes("\r\nNAME:Paz\\, Ana\\; \\\\ B\r\n"), "a text (RFC 7986), so it is escaped")
  assert.match(reply.body, /\r\nDTSTAMP:\d{8}T\d{6}Z\r\n/, "stamps are in UTC (RFC 5545, section 3.8.7.2)")
  const properties = reply.body.slice(0, reply.body.indexOf("BEGIN:VTIMEZONE"))
  assert.match(properties, /REFRESH-INTERVAL.*\r\nX-PUBLISHED-TTL/, "properties precede components")
  const address = String(events[0]?.component.getFirstPropertyValue("url"))
  assert.match(address, /\/tasks\?task=[0-9a-f]{24}$/, "an address that the console has")

  const others = Object.values(nodeIcal.sync.parseICS(reply.body)).filter(
    (entry): entry is VEvent => entry?.type === "VEVENT",
  )
  assert.deepEqual(
    others.map(({ start, end }) => [start.toISOString(), end && end.getTime() - start.getTime()]),
    starts.map((start) => [new Date(start).toISOString(), 2 * hour]),
  )

  clock.move("2026-10-20T00:05:00Z")
  assert.equal((await read({ "if-none-match": String(reply.headers.etag) })).statusCode, 304)
  assert.ok((await as(person).get("/calendar-feeds")).json().data[0].readTime)
  assert.equal((await app.inject({ url: `/calendar/${made.url.slice(-30)}` })).statusCode, 404)
  await as(org.owner).patch(`/user/${person.id}`, { status: "disabled" })
  assert.equal((await read()).statusCode, 404)
})

test("a hub's feed follows its owner's hubs, a schedule's shows its runs, and nobody else deletes them", async (t) => {
  const { app, sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  await aTask(sql, { org, hub, title: "Seen" })
  const refused = await as(planner).post("/calendar-feed", { kind: "hub", targetId: other.id })
  assert.deepEqual([refused.statusCode, refused.json().failedCode], [404, "cal-034"])
  const feed = (
    await as(planner).expect(200).post("/calendar-feed", { kind: "hub", targetId: hub.id })
  ).json().data
  const body = async (url: string) => (await app.inject({ url: new URL(url).pathname })).body
  assert.match(await body(feed.url), /SUMMARY:Seen/)
  assert.equal((await as(org.owner).delete(`/calendar-feed/${feed._id}`)).statusCode, 404)
  await as(planner).expect(200).delete(`/calendar-feed/${feed._id}`)
  assert.doesNotMatch(await body(feed.url), /Seen/)

  const schedule = await aSchedule(sql, { org, hub })
  const runs = (
    await as(org.owner).expect(200).post("/calendar-feed", { kind: "schedule", targetId: schedule.id })
  ).json().data
  const events = Object.values(nodeIcal.sync.parseICS(await body(runs.url)))
  assert.ok(events.filter((entry) => entry?.type === "VEVENT").length > 10)
})

test("a token with scopes leaves no address behind, and takes none away", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const { _id: feedId } = (await as(org.owner).expect(200).post("/calendar-feed", { kind: "person" })).json()
    .data
  const { token } = await aToken(sql, { person: org.owner, scopes: ["view/task"] })
  const bearer = { authorization: `Bearer ${token}` }
  const replies = [
    await nobody.post("/calendar-feed", { kind: "person" }, bearer),
    await nobody.delete(`/calendar-feed/${feedId}`, undefined, bearer),
  ]
  for (const reply of replies) assert.deepEqual([reply.statusCode, reply.json().failedCode], [403, "cal-035"])
  const feeds = (await nobody.get("/calendar-feeds", bearer)).json().data
  assert.deepEqual(
    feeds.map((feed: { _id: string }) => feed._id),
    [feedId],
  )
})
