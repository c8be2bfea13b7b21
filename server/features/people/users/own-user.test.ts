import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("people change their own profile, and their e-mail only with a fresh sign-in or the password", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner", password: "Harbour-27" })
  const patched = await as(person).patch("/user", {
    name: "My Name",
    language: "id",
    onboardingStep: ["map"],
  })
  assert.equal(patched.json().property.name, "My Name")
  assert.deepEqual((await as(person).get("/user")).json().onboardingStep, ["map"])
  await sql`update access_tokens set created_time = now() - interval '1 hour' where organization_id = ${org.id}`
  const stale = await as(person).patch("/user", { email: "me2@couriers.example" })
  assert.equal(stale.json().failedCode, "user-034")
  const fine = await as(person).patch("/user", {
    email: "me2@couriers.example",
    currentPassword: "Harbour-27",
  })
  assert.equal(fine.json().property.email, "me2@couriers.example")
  await nobody.expect(200).post("/login", { email: "me2@couriers.example", password: "Harbour-27" })
})

test("an avatar is a small JPEG or PNG, of oneself or with edit/member of others", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner" })
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.alloc(200),
  ])
  const file = { filename: "me.png", content: png, contentType: "image/png" }
  const own = await as(person).expect(200).upload("/user/avatar", { _id: person.id, image: file })
  const key = app.links.keyOf(own.json().property.avatar)
  const stored = key === undefined ? undefined : await app.objects.open(key)
  assert.equal(stored?.sizeBytes, png.length)
  stored?.stream.destroy()
  assert.equal((await as(person).upload("/user/avatar", { _id: org.owner.id, image: file })).statusCode, 403)
  const byOwner = await as(org.owner).upload("/user/avatar", { _id: person.id, image: file })
  assert.notEqual(byOwner.json().property.avatar, own.json().property.avatar)
  const html = { ...file, content: "<script>alert(1)</script>" }
  assert.equal(
    (await as(person).upload("/user/avatar", { _id: person.id, image: html })).json().failedCode,
    "user-015",
  )
  const huge = { ...file, content: Buffer.concat([png, Buffer.alloc(1024 * 1024)]) }
  assert.equal(
    (await as(person).upload("/user/avatar", { _id: person.id, image: huge })).json().failedCode,
    "user-015",
  )
  assert.equal((await as(person).delete("/user/avatar")).json().property.avatar, null)
})

test("an explanation says which rule keeps somebody from doing something", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const ask = async (permission: string, hubId: string) =>
    (
      await as(org.owner).get(
        `/permission-explanation?userId=${person.id}&permission=${permission}&hubId=${hubId}`,
      )
    ).json().data
  const failed = (data: { reasons: { check: string; passed: boolean }[] }) =>
    data.reasons.filter((reason) => !reason.passed).map((reason) => reason.check)
  const fine = await ask("view/task", hub.id)
  assert.equal(fine.isAllowed, true)
  assert.ok(fine.reasons.some((reason: { check: string }) => reason.check === "own-tasks"))
  assert.deepEqual(failed(await ask("delete/task", other.id)), ["role", "hub"])
  await as(org.owner).patch(`/user/${person.id}`, { status: "disabled" })
  assert.deepEqual(failed(await ask("view/task", hub.id)), ["membership"])
})
