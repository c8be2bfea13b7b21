import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTeam, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("views are private, a team's or everyone's, and changed by their owner or an administrator", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const team = await aTeam(sql, { org, hub })
  const options = { org, hubs: [hub], permissions: ["view/task"] as const }
  const [owner, mate, other] = [
    await aUser(sql, { ...options, teams: [team] }),
    await aUser(sql, { ...options, teams: [team] }),
    await aUser(sql, options),
  ]
  const view = (name: string, more: object) => ({
    list: "tasks",
    name,
    content: { status: ["ONGOING"] },
    ...more,
  })
  const save = async (name: string, more: object) =>
    (await as(owner).expect(201).post("/view", view(name, more))).json().data
  const own = await save("Own", { visibility: "private" })
  await save("Team's", { visibility: "team", teamId: team.id })
  const shared = await save("Everyone's", { visibility: "everyone" })
  const names = async (person: typeof owner) =>
    (await as(person).get("/views?list=tasks")).json().data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(owner), ["Everyone's", "Own", "Team's"])
  assert.deepEqual(await names(mate), ["Everyone's", "Team's"])
  assert.deepEqual(await names(other), ["Everyone's"])
  assert.deepEqual((await as(owner).get("/views?list=vehicles")).json().data, [])
  assert.deepEqual((await as(other).get(`/view/${shared._id}`)).json().data.content, { status: ["ONGOING"] })
  assert.equal((await as(mate).expect(404).get(`/view/${own._id}`)).json().failedCode, "view-036")
  const renamed = view("Renamed", { visibility: "everyone" })
  assert.equal(
    (await as(other).expect(403).put(`/view/${shared._id}`, renamed)).json().failedCode,
    "view-035",
  )
  await as(org.owner).expect(200).put(`/view/${shared._id}`, renamed)
  assert.deepEqual(await names(other), ["Renamed"])
  const foreignTeam = view("Foreign", { visibility: "team", teamId: team.id })
  assert.equal((await as(other).expect(400).post("/view", foreignTeam)).json().failedCode, "view-002")
  const elsewhere = await anOrganization(sql)
  await as(elsewhere.owner).expect(404).delete(`/view/${shared._id}`)
  const ofVans = { ...view("Vans of Ms. Stone", { visibility: "everyone" }), list: "vehicles" }
  const { data: vans } = (await as(org.owner).expect(201).post("/view", ofVans)).json()
  const all = (await as(mate).get("/views")).json().data.map(({ name }: { name: string }) => name)
  assert.deepEqual(all, ["Renamed", "Team's"], "not those of lists that they may not read")
  assert.equal((await as(mate).get(`/view/${vans._id}`)).statusCode, 404)
  await as(owner).expect(200).delete(`/view/${shared._id}`)
  assert.deepEqual(await names(other), [])
})
