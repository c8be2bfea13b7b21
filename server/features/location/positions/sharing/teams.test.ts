import assert from "node:assert/strict"
import { test } from "node:test"
import { findCallerOfUser } from "#core/access/caller.ts"
import { currentSnapshot } from "#core/events/live-events.ts"
import { aHub, aTeam, aUser } from "#samples/builders.ts"
import { testOrganization } from "../../../../testing/test-app.ts"

test("somebody in teams sees where their team mates are, and nobody of other teams", async (t) => {
  const { sql, as, org, app } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [mine, theirs] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const lead = await aUser(sql, { org, role: "planner", hubs: [hub], teams: [mine] })
  const mate = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [mine] })
  const free = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const stranger = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [theirs] })
  const before = await currentSnapshot(sql)
  const made = new Map<string, string>()
  for (const person of [mate, free, stranger]) {
    const body = { email: person.email, lat: 10, lon: 5 }
    const stored = await as(org.owner).expect(201).post("/location-history", body)
    made.set(person.id, stored.json().location_history._id)
  }
  const read = async (url: string) => (await as(lead).expect(200).get(url)).body
  for (const url of ["/positions", "/location-histories", "/location-visits"])
    assert.ok(!(await read(url)).includes(stranger.email), url)
  const positions: { email: string; lat: number | null }[] = JSON.parse(await read("/positions")).data
  const seen = positions.filter(({ lat }) => lat !== null).map(({ email }) => email)
  assert.deepEqual(seen.sort(), [mate.email, free.email].sort())
  for (const url of [
    `/positions/${stranger.id}`,
    `/track/${stranger.id}`,
    `/location-history/${made.get(stranger.id)}`,
  ])
    assert.notEqual((await as(lead).get(url)).statusCode, 200, url)
  await as(lead).expect(200).get(`/track/${mate.id}`)
  const link = (email: string) => as(lead).post("/location-history/generate-token", { email })
  assert.equal((await link(stranger.email)).json().failedCode, "lochi-004")
  await as(lead)
    .expect(200)
    .get(`/location-history/${made.get(mate.id)}`)
  assert.equal(
    JSON.parse((await as(org.owner).get("/positions")).body).data.filter(
      ({ lat }: { lat: number | null }) => lat !== null,
    ).length,
    3,
  )
  const caller = await findCallerOfUser(sql, org.id, lead.id)
  assert.ok(caller)
  const carried: unknown[] = []
  const leave = await app.live.connect(
    { caller, deliver: (events) => carried.push(...events.map(({ person }) => person?.userId)) > 0 },
    before,
  )
  leave()
  assert.deepEqual(carried.filter(Boolean).sort(), [mate.id, free.id].sort())
})

test("alerts and feedback about people of other teams are not shown", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const [mine, theirs] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const permissions = ["view/tracking", "view/task"] as const
  const lead = await aUser(sql, { org, permissions, hubs: [hub], teams: [mine] })
  const mate = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [mine] })
  const stranger = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [theirs] })
  const rule = (
    await as(org.owner).expect(201).post("/alert-rule", { name: "Fast", kind: "speed", settings: {} })
  ).json().data
  for (const [index, { id, email }] of [mate, stranger].entries()) {
    await sql`
      insert into alerts (organization_id, id, rule_id, cause, kind, hub_ids, user_id, email, details, started_at)
      values (${org.id}, ${`6a01c0ffee5de0b4a7710c2${index}`}, ${rule._id}, ${id}, 'speed', ${[hub.id]}, ${id}, ${email}, '{"name": null}', now())`
    await sql`
      insert into customer_feedback (organization_id, id, task_id, hub_id, flow_id, driver, kind, stars, created_time)
      values (${org.id}, ${`6a01c0ffee5de0b4a7710c3${index}`}, ${id}, ${hub.id}, ${hub.id}, ${email}, 'rating', 4, now())`
  }
  for (const url of ["/alerts", "/customer-feedback"]) {
    const read = async (person: typeof lead) => (await as(person).expect(200).get(url)).body
    assert.ok((await read(lead)).includes(mate.email), url)
    assert.ok(!(await read(lead)).includes(stranger.email), url)
    assert.ok((await read(org.owner)).includes(stranger.email), url)
  }
})
