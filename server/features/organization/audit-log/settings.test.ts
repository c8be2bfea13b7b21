import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTeam, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

test("the audit log says who changed what, when, from where, before and after", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner", name: "Before", password: "Harbour-27" })
  await as(org.owner).patch(`/user/${person.id}`, { name: "After" })
  await nobody.post("/login", { email: person.email, password: "wrong" })
  await nobody.post("/login", { email: person.email, password: "Harbour-27" })
  const read = async (query: string) => (await as(org.owner).get(`/audit-log${query}`)).json().data
  const [update] = (await read(`?targetId=${person.id}&action=user.update`)).data
  assert.deepEqual(
    [update.actor, update.address, update.targetName],
    [org.owner.email, "127.0.0.1", person.email],
  )
  assert.deepEqual([update.before.name, update.after.name], ["Before", "After"])
  const sessions = (await read("?action=session.")).data.map((entry: { action: string }) => entry.action)
  assert.deepEqual(sessions, ["session.open", "session.refuse"])
  assert.equal((await read("?q=nobody-like-this")).total, 0)
  assert.equal((await read("?dateTo=2020-01-01")).total, 0)
  assert.ok((await read(`?actor=${org.owner.email.toUpperCase()}&dateFrom=2020-01-01`)).total >= 1)
  assert.ok(!JSON.stringify(await read("?limit=-1")).match(/argon2|Harbour/))
  assert.equal((await as(person).get("/audit-log")).statusCode, 403)
})

test("teams live in hubs, hold their creator, and are deleted when nobody is left", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, foreign] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const lead = await aUser(sql, { org, role: "admin", hubs: [hub] })
  const made = await as(lead).expect(201).post("/team", { name: "Riders", hubId: hub.id })
  assert.equal(made.json().data.totalUser, 2)
  const { _id: id } = made.json().data
  assert.deepEqual((await as(lead).get("/user")).json().teamId, [id])
  assert.equal(
    (await as(lead).post("/team", { name: "RIDERS", hubId: hub.id })).json().failedCode,
    "team-034",
  )
  assert.equal(
    (await as(lead).post("/team", { name: "Far", hubId: foreign.id })).json().failedCode,
    "team-032",
  )
  const rider = await aUser(sql, { org, role: "field user", hubs: [hub], teams: [{ id }] })
  assert.equal((await as(lead).delete(`/team/${id}`)).json().failedCode, "team-036")
  await as(org.owner).patch(`/user/${rider.id}`, { teamId: [] })
  const renamed = await as(lead).put(`/team/${id}`, { name: "Couriers", hubId: hub.id })
  assert.deepEqual([renamed.statusCode, renamed.json().data.name], [200, "Couriers"])
  await aTeam(sql, { org, hub: foreign, name: "Other" })
  const names = async (query: string) =>
    (await as(org.owner).get(`/teams${query}`)).json().data.data.map((team: { name: string }) => team.name)
  assert.deepEqual(await names(""), ["Couriers", "Other"])
  assert.deepEqual(await names(`?hubId=${hub.id}`), ["Couriers"])
  const seen = (await as(lead).get("/teams")).json().data
  assert.equal(seen.total, 1)
  // Without teams the lead would see the tasks of all of the hub.
  assert.equal((await as(lead).delete(`/team/${id}`)).json().failedCode, "team-036")
  const invited = await aUser(sql, { org, status: "pending", hubs: [hub], teams: [{ id }] })
  await as(lead).expect(201).post("/team", { name: "Drivers", hubId: hub.id })
  assert.equal((await as(lead).delete(`/team/${id}`)).json().failedCode, "team-036")
  await as(org.owner).patch(`/user/${invited.id}`, { teamId: [] })
  const gone = await as(lead).delete(`/team/${id}`)
  assert.deepEqual([gone.statusCode, gone.json().code, gone.json().data.name], [200, 200, "Couriers"])
  assert.equal((await as(lead).get(`/team/${id}`)).json().failedCode, "team-033")
})

test("password policies: five built in, own ones beside them, read only where they must be", async (t) => {
  const { as, org } = await testOrganization(t)
  const listed = (await as(org.owner).get("/password-policies")).json()
  assert.equal(listed.meta.per_page, 10)
  assert.equal(listed.data.length, 5)
  assert.deepEqual(
    [listed.data[0].organizationId, listed.data[0].minimumLength, listed.links.prev],
    ["system", 8, null],
  )
  const { _id: builtIn, ...settings } = listed.data[1]
  const made = await as(org.owner)
    .expect(200)
    .post("/password-policies", { ...settings, name: "Ours" })
  const { _id: id } = made.json().data
  assert.equal((await as(org.owner).get(`/password-policy/${id}`)).json().data.createdBy, org.owner.email)
  await as(org.owner)
    .expect(400)
    .post("/password-policies", { ...settings, name: "OURS" })
  const put = await as(org.owner).put(`/password-policy/${id}`, {
    ...settings,
    name: "Ours",
    minimumLength: 12,
  })
  assert.equal(put.json().data.minimumLength, 12)
  assert.equal((await as(org.owner).put(`/password-policy/${builtIn}`, { ...settings })).statusCode, 403)
  await as(org.owner)
    .expect(400)
    .put(`/password-policy/${id}`, { ...settings, minimumLength: 5 })
  assert.equal((await as(org.owner).delete(`/password-policy/${id}`)).json().data._id, id)
})

test("organization data is found by id and by name", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const member = await aUser(sql, { org, role: "field user" })
  const made = await as(org.owner)
    .expect(201)
    .post("/org-data", { name: "map_settings", data: { zoom: 4, list: [1] } })
  const { _id: id, createdBy } = made.json().data
  assert.equal(createdBy, org.owner.id)
  assert.deepEqual((await as(member).get("/org-data/map_settings")).json().data.data, { zoom: 4, list: [1] })
  assert.equal((await as(member).put(`/org-data/${id}`, { data: [] })).statusCode, 403)
  assert.equal((await as(org.owner).post("/org-data", { name: "map_settings", data: {} })).statusCode, 409)
  assert.equal((await as(org.owner).post("/org-data", { name: "no spaces!", data: {} })).statusCode, 400)
  assert.equal((await as(org.owner).post("/org-data", { name: "scalar", data: "text" })).statusCode, 400)
  assert.deepEqual((await as(org.owner).put(`/org-data/${id}`, { data: [1, 2] })).json().data.data, [1, 2])
  const page = (await as(member).get("/org-data?q=MAP&fields=name")).json().data
  assert.deepEqual([page.total, page.data], [1, [{ _id: id, name: "map_settings" }]])
  assert.equal((await as(org.owner).delete("/org-data/map_settings")).statusCode, 200)
  assert.equal((await as(org.owner).get("/org-data/map_settings")).json().failedCode, "orgdt-033")
})

test("anybody reads a privacy policy, its organization writes it", async (t) => {
  const { sql, as, nobody } = await testApp(t)
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  assert.equal((await nobody.get(`/privacy-policy/${org.id}`)).json().failedCode, "priv-033")
  assert.equal((await nobody.get(`/privacy-policy/${org.id}?optional=true`)).json().data, null)
  const write = (description: string, organizationId: string = org.id) =>
    as(org.owner).post("/privacy-policy", { organizationId, description })
  assert.equal((await write("One")).statusCode, 200)
  assert.equal((await write("Two")).json().data.description, "Two")
  assert.equal((await write("Three", other.id)).statusCode, 400)
  assert.equal((await nobody.get(`/privacy-policy/${org.id}`)).json().data.description, "Two")
  assert.equal((await as(other.owner).delete(`/privacy-policy/${org.id}`)).statusCode, 404)
  assert.equal((await as(org.owner).delete(`/privacy-policy/${org.id}`)).json().message, "Data deleted")
})

test("an organization's changes to the currencies are its own", async (t) => {
  const { sql, as, nobody } = await testApp(t)
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  const euro = (await nobody.get("/currency?iso=eur,aud")).json().data
  assert.deepEqual(new Set(euro.map((entry: { iso: string }) => entry.iso)), new Set(["EUR", "AUD"]))
  assert.deepEqual((await nobody.get("/currency?iso=zzz")).json(), { status: true, data: [] })
  const { _id: id } = euro[0]
  const changed = await as(org.owner).put(`/currency/${id}`, { symbol: "$A" })
  assert.equal(changed.json().data.symbol, "$A")
  assert.notEqual((await as(other.owner).get(`/currency/${id}`)).json().data.symbol, "$A")
  assert.equal((await as(org.owner).delete(`/currency/${id}`)).statusCode, 200)
  const left = (await as(org.owner).get("/currency?iso=AUD")).json().data
  assert.deepEqual(left, [])
  const body = { countryCode: "FJI", iso: "fjd", symbol: "FJ$", locale: "en-FJ" }
  assert.equal((await as(org.owner).post("/currency", body)).statusCode, 201)
  assert.equal((await as(org.owner).post("/currency", body)).json().failedCode, "curr-031")
})

test("a deleted role and team come back from the trash", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const role = (await as(org.owner).post("/role", { name: "Night", permissionList: ["view/task"] })).json()
    .data
  const team = await aTeam(sql, { org, hub, name: "Riders" })
  await as(org.owner).delete(`/role/${role._id}`)
  await as(org.owner).delete(`/team/${team.id}`)
  const kept = (await as(org.owner).get("/trash")).json().data as { _id: string }[]
  assert.equal(kept.length, 2)
  for (const { _id } of kept)
    assert.equal((await as(org.owner).post(`/trash/${_id}/restore`)).statusCode, 200)
  assert.equal((await as(org.owner).get(`/role/${role._id}`)).json().data.name, "Night")
  assert.equal((await as(org.owner).get(`/team/${team.id}`)).json().data.name, "Riders")
})
