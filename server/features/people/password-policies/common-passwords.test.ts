import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { isAboutPerson, isCommonPassword } from "./common-passwords.ts"

const good = "Lighthouse-93"

test("common passwords are found in any case and between symbols, others are not", async () => {
  for (const text of [
    "password1",
    "PassWord123",
    "qwertyuiop",
    "!!iloveyou1!!",
    "Letmein1",
    "ｐａｓｓｗｏｒｄ１",
  ])
    assert.equal(await isCommonPassword(text), true, text)
  for (const text of [good, "correct horse battery", "zx8-Tuna-Quay", "----", ""])
    assert.equal(await isCommonPassword(text), false, text)
})

test("a password that is little more than words about the person is known as such", () => {
  const about = ["anna.lindqvist@couriers.example", "Anna Lindqvist", "Harbour & Sons"]
  for (const text of ["Lindqvist-1987", "annaLINDQVIST1", "Harbour-27", "Couriers2026!"])
    assert.equal(isAboutPerson(text, about), true, text)
  for (const text of ["Savannah-Trip-2029", "harbour lights at dawn", good])
    assert.equal(isAboutPerson(text, about), false, text)
})

test("a common password, and one made of one's name, e-mail or organization, is refused with user-005 wherever one is chosen", async (t) => {
  const { sql, as, nobody, org } = await testOrganization(t)
  const person = await aUser(sql, { org, role: "planner", password: "Password123" })
  await sql`update users set name = 'Annabelle Lindqvist' where id = ${person.id}`
  await sql`update organizations set name = 'Pelican Couriers' where id = ${org.id}`
  // What was chosen before keeps working.
  await nobody.expect(200).post("/login", { email: person.email, password: "Password123" })
  const role = (await as(org.owner).get("/roles")).json().data[0]._id
  const tries: [string, (password: string) => Promise<{ statusCode: number; body: string }>][] = [
    [
      "change",
      (password) => as(person).put("/user/change-password", { currentPassword: "Password123", password }),
    ],
    [
      "administrator",
      (password) => as(org.owner).post("/member/reset-password", { userId: person.id, password }),
    ],
    [
      "new member",
      (password) =>
        as(org.owner).post("/user", {
          name: "Annabelle Lindqvist",
          email: `new-${person.id}@fieldway.test`,
          roleId: role,
          hubId: [],
          password,
        }),
    ],
    [
      "register",
      (password) =>
        nobody.post("/register", {
          email: `r${person.id}@fieldway.test`,
          name: "Annabelle Lindqvist",
          password,
        }),
    ],
  ]
  for (const [what, send] of tries)
    for (const password of [
      "Password123!",
      "Lindqvist-1987",
      ...(what === "register" ? [] : ["Pelican-2026!"]),
    ]) {
      const reply = await send(password)
      assert.equal(reply.statusCode, 400, `${what} ${password}: ${reply.body}`)
      const { failedCode, message } = JSON.parse(reply.body) as { failedCode: string; message: string }
      assert.equal(failedCode, "user-005")
      assert.match(message, password.startsWith("Pass") ? /too common/ : /name, e-mail or organization/)
    }
  await as(person).expect(200).put("/user/change-password", {
    currentPassword: "Password123",
    password: good,
  })
})
