import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("a person agrees to the recording of their positions and withdraws it; every decision is kept", async () => {
  const { sql, as, org, clock } = await testOrganization()
  const [eva, finn] = [
    await aUser(sql, { org, role: "field user" }),
    await aUser(sql, { org, role: "field user" }),
  ]
  const decided = async (who: typeof eva) => (await as(who).expect(200).get("/position-consent")).json().data
  assert.deepEqual(await decided(eva), { isGiven: false, decidedTime: null })
  await as(eva).expect(200).put("/position-consent", { isGiven: true })
  assert.equal((await decided(eva)).isGiven, true)
  assert.equal((await decided(finn)).isGiven, false)
  clock.move({ minutes: 1 })
  await as(eva).expect(200).put("/position-consent", { isGiven: false })
  assert.equal((await decided(eva)).isGiven, false)
  const kept =
    await sql`select 1 from position_consents where organization_id = ${org.id} and user_id = ${eva.id}`
  assert.equal(kept.length, 2)
})
