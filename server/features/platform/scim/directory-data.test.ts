import assert from "node:assert/strict"
import { test } from "node:test"
import { testApp } from "#testing/test-app.ts"
import { aDirectory, anEmail, patchOf } from "./fixtures/directory.ts"

test("the parts of a name come back as the directory sent them, until the name is changed in Fieldway", async (t) => {
  const server = await testApp(t)
  const { call, org } = await aDirectory(server)
  const name = { givenName: "Ana María", familyName: "de la Torre", formatted: "Ana María de la Torre" }
  const made = await call("POST", "/Users", {
    userName: anEmail(),
    name,
    displayName: "de la Torre, Ana (IT)",
  })
  const { id } = made.body
  const shown = async () => {
    const { body } = await call("GET", `/Users/${id}`)
    return { ...body.name, displayName: body.displayName }
  }
  assert.deepEqual(await shown(), { ...name, displayName: "de la Torre, Ana (IT)" })
  const people = await server.as(org.owner).get(`/users?q=${encodeURIComponent(name.formatted)}`)
  assert.match(people.body, /"Ana María de la Torre"/)

  await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "name.familyName", value: "Ruiz Paz" }))
  assert.deepEqual(await shown(), {
    givenName: "Ana María",
    familyName: "Ruiz Paz",
    formatted: "Ana María Ruiz Paz",
    displayName: "de la Torre, Ana (IT)",
  })
  await server.as(org.owner).expect(200).put(`/user/${id}`, { name: "Ana Paz" })
  assert.deepEqual(await shown(), {
    givenName: "Ana",
    familyName: "Paz",
    formatted: "Ana Paz",
    displayName: "Ana Paz",
  })
})

test("a telephone number in a form that nobody could call does not keep a person out", async (t) => {
  const { call } = await aDirectory(await testApp(t))
  const phoneFor = async (value: string) => {
    const made = await call("POST", "/Users", {
      userName: anEmail(),
      phoneNumbers: [{ type: "work", value }],
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body.phoneNumbers?.[0].value
  }
  assert.equal(await phoneFor("(425) 555-0100"), "425 555-0100")
  assert.equal(await phoneFor("tel:+1-201-555-0123;ext=12"), "+1-201-555-0123")
  assert.equal(await phoneFor("+1 425 555 0100 x12"), "+1 425 555 0100")
  assert.equal(await phoneFor("ext. 5"), undefined)
})

test("what no column can hold is refused, alone and within a bulk request", async (t) => {
  const { call } = await aDirectory(await testApp(t))
  const nul = "a\u0000b"
  const userName = anEmail()
  for (const [path, body] of [
    ["/Users", { userName, externalId: nul }],
    ["/Users", { userName: `a\u0000${userName}` }],
    ["/Users", { userName, roles: [{ value: nul }] }],
    ["/Groups", { displayName: userName, externalId: nul }],
    ["/Groups", { displayName: userName, members: [{ value: nul }] }],
  ] as const)
    assert.equal((await call("POST", path, body)).status, 400, JSON.stringify(body))
  for (const path of ["/Users/%00", "/Groups/%00"]) assert.equal((await call("GET", path)).status, 404)
  const ids = await call("GET", `/Users?filter=${encodeURIComponent('id eq "a\\u0000b"')}`)
  assert.deepEqual([ids.status, ids.body.totalResults], [200, 0])
  const names = await call("GET", `/Users?filter=${encodeURIComponent('userName eq "a\\u0000b"')}`)
  assert.equal(names.status, 400)
  const bulk = await call("POST", "/Bulk", {
    Operations: [
      null,
      1,
      { method: "GET", path: "/Users" },
      { method: "POST", path: "/Users", data: { userName, externalId: nul } },
      { method: "POST", path: "/Users", data: { userName } },
    ],
  })
  assert.deepEqual(
    bulk.body.Operations.map(({ status }: { status: string }) => status),
    ["400", "400", "400", "400", "201"],
  )
})

test("nobody loses the name to sign in with, and a cursor finds its place in any order", async (t) => {
  const { call } = await aDirectory(await testApp(t))
  const ids = []
  for (const displayName of ["Cleo", "Ana", "Dan", "Ben", "Eve"])
    ids.push((await call("POST", "/Users", { userName: anEmail(), displayName })).body.id as string)
  for (const operation of [
    { op: "remove", path: "userName" },
    { op: "replace", path: "userName", value: "" },
  ]) {
    const refused = await call("PATCH", `/Users/${ids[0]}`, patchOf(operation))
    assert.deepEqual([refused.status, refused.body.scimType], [400, "invalidValue"])
  }
  const query = "/Users?sortBy=displayName&sortOrder=descending&count=2&filter=userName%20co%20%22scim-%22"
  const first = await call("GET", `${query}&cursor=`)
  const seen = first.body.Resources.map(({ displayName }: { displayName: string }) => displayName)
  assert.deepEqual(seen, ["Eve", "Dan"])
  await call("DELETE", `/Users/${ids[2]}`)
  const second = await call("GET", `${query}&cursor=${first.body.nextCursor}`)
  assert.deepEqual(
    second.body.Resources.map(({ displayName }: { displayName: string }) => displayName),
    ["Cleo", "Ben"],
  )
})
