import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser, type Person } from "#samples/builders.ts"
import { type Reply, type TestApp, testOrganization } from "#testing/test-app.ts"
import { codeOfStep, stepAt } from "../accounts/totp.ts"

const password = "Harbour-27"
const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json().token}` })

async function mailedCode({ sql }: TestApp, person: Person): Promise<string> {
  const rows = await sql<{ text: string }[]>`
    select text from mails where recipient = ${person.email} and kind = 'code' order by created_time desc, id desc limit 1`
  return /\b\d{6}\b/.exec(rows[0]?.text ?? "")?.[0] ?? ""
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

test("a role that demands a code answers 202, mails it, and lets in with it, once", async (t) => {
  const server = await testOrganization(t)
  const { sql, nobody, org } = server
  const person = await aUser(sql, { org, permissions: ["security/otp-email"], password })
  const begun = await nobody.expect(202).post("/login", { email: person.email, password })
  assert.equal(begun.json().token, undefined)
  const { id } = begun.json().data
  const shown = (await nobody.get(`/secret/${id}`)).json().data
  assert.equal(shown.email, `${person.email.slice(0, 3)}***@fieldway.test`)
  const first = await mailedCode(server, person)
  assert.equal((await nobody.put(`/secret/${id}`)).statusCode, 200)
  const second = await mailedCode(server, person)
  if (first !== second)
    assert.equal((await nobody.post("/secret", { id, secret: first })).json().failedCode, "secrt-001")
  const session = await nobody.expect(200).post("/secret", { id, secret: second })
  assert.equal((await nobody.get("/user", bearer(session))).statusCode, 200)
  assert.equal((await nobody.post("/secret", { id, secret: second })).json().failedCode, "secrt-001")
  assert.equal((await nobody.post("/secret", { id })).json().failedCode, "secrt-001")
  assert.equal((await nobody.get("/secret/unknown")).json().failedCode, "secrt-001")
  assert.equal((await nobody.put("/secret/unknown")).json().failedCode, "secrt-034")
})

test("five wrong codes end the sign-in and lock the account, and a late code does not count", async (t) => {
  const server = await testOrganization(t)
  const { sql, nobody, org } = server
  const person = await aUser(sql, { org, permissions: ["security/otp-email"], password })
  const { id } = (await nobody.post("/login", { email: person.email, password })).json().data
  const code = await mailedCode(server, person)
  await Promise.all(Array.from({ length: 8 }, () => nobody.post("/secret", { id, secret: other(code) })))
  assert.equal((await nobody.post("/secret", { id, secret: code })).json().failedCode, "secrt-001")
  assert.equal((await nobody.post("/login", { email: person.email, password })).statusCode, 401)
  const late = await aUser(sql, { org, permissions: ["security/otp-email"], password })
  const waiting = (await nobody.post("/login", { email: late.email, password })).json().data
  await sql`update sign_in_challenges set expires_at = now() - interval '1 second' where id = ${waiting.id}`
  const reply = await nobody.post("/secret", { id: waiting.id, secret: await mailedCode(server, late) })
  assert.equal(reply.json().failedCode, "secrt-001")
})

test("an authenticator app takes the place of mailed codes; each code and recovery code works once", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, nobody, clock, org } = server
  const person = await aUser(sql, { org, role: "planner", password })
  assert.equal((await as(person).post("/user/authenticator", { password: "wrong" })).statusCode, 400)
  const begun = await as(person).post("/user/authenticator", { password })
  assert.match(begun.json().data.uri, /^otpauth:\/\/totp\/Fieldway/)
  assert.equal((await nobody.post("/login", { email: person.email, password })).statusCode, 200)
  const secret = fromBase32(begun.json().data.secret)
  const codeNow = (steps = 0) => codeOfStep(secret, stepAt(clock.now()) + steps)
  const wrong = await as(person).post("/user/authenticator/confirm", { code: other(codeNow()) })
  assert.equal(wrong.json().failedCode, "secrt-001")
  const used = codeNow()
  const { recoveryCodes } = (await as(person).post("/user/authenticator/confirm", { code: used })).json().data
  assert.equal(recoveryCodes.length, 10)
  const begin = async () => (await nobody.post("/login", { email: person.email, password })).json().data.id
  const respond = async (secret: string) => nobody.post("/secret", { id: await begin(), secret })
  assert.equal((await respond(used)).statusCode, 400)
  assert.equal((await respond(codeNow(1))).statusCode, 200)
  assert.equal((await respond(recoveryCodes[0])).statusCode, 200)
  assert.equal((await respond(recoveryCodes[0])).statusCode, 400)
  assert.equal((await as(person).get("/user/authenticator")).json().data.recoveryCodesLeft, 9)
  await as(org.owner).expect(200).delete(`/member/${person.id}/authenticator`)
  assert.equal((await nobody.post("/login", { email: person.email, password })).statusCode, 200)
})
