import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { type TestApp, testApp, tokenOf } from "#testing/test-app.ts"
import { aDirectory, anEmail, patchOf } from "./fixtures/directory.ts"

/** An open event stream; `ended` when the server ends it. */
async function openStream({ app }: TestApp, session: string) {
  await app.listen({ port: 0, host: "127.0.0.1" })
  const address = app.server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const reply = await fetch(`http://127.0.0.1:${port}/api/v3/events`, {
    headers: { authorization: `Bearer ${session}` },
  })
  assert.equal(reply.status, 200)
  return { ended: reply.text().catch(() => "") }
}

test("Entra ID provisions, changes and removes a person with the requests that it documents", async (t) => {
  const server = await testApp(t)
  const { org, call, roleId, plannerId } = await aDirectory(server)
  const email = anEmail()
  const probe = await call("GET", `/Users?filter=userName+eq+%22${encodeURIComponent(email)}%22`)
  assert.deepEqual([probe.status, probe.body.totalResults], [200, 0])
  assert.match(String(probe.headers["content-type"]), /^application\/scim\+json/)
  const made = await call("POST", "/Users", {
    schemas: [
      "urn:ietf:params:scim:schemas:core:2.0:User",
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
    ],
    externalId: "0a21f0f2",
    userName: email,
    active: true,
    emails: [{ primary: true, type: "work", value: email }],
    meta: { resourceType: "User" },
    name: { formatted: "Ana Torres", familyName: "Torres", givenName: "Ana" },
    roles: [],
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body
  assert.equal(made.headers.location, `http://fieldway.test/scim/v2/Users/${id}`)
  assert.equal(made.body.userName, email.toLowerCase())
  assert.equal(made.body.roles[0].value, roleId)
  assert.equal((await call("POST", "/Users", { userName: email })).body.scimType, "uniqueness")
  const byExternal = await call("GET", '/Users?filter=externalId eq "0a21f0f2" and active eq true')
  assert.equal(byExternal.body.Resources[0].id, id)

  const changed = await call(
    "PATCH",
    `/Users/${id}`,
    patchOf(
      { op: "Replace", path: 'emails[type eq "work"].value', value: email },
      { op: "Replace", path: "name.familyName", value: "Silva" },
      { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+62 811 000" },
      { op: "Add", value: { 'roles[primary eq "True"].value': "planner" } },
    ),
  )
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.equal(changed.body.name.formatted, "Ana Silva")
  assert.equal(changed.body.phoneNumbers[0].value, "+62 811 000")
  assert.equal(changed.body.roles[0].value, plannerId)

  const person = { id, organizationId: org.id } as never
  const session = await tokenOf(server.sql, person)
  const opens = async () =>
    (await server.nobody.get("/user", { authorization: `Bearer ${session}` })).statusCode
  assert.equal(await opens(), 200)
  const stream = await openStream(server, session)
  const disabledAt = performance.now()
  const disabled = await call(
    "PATCH",
    `/Users/${id}`,
    patchOf({ op: "Replace", path: "active", value: "False" }),
  )
  assert.equal(disabled.body.active, false)
  assert.equal(await opens(), 401)
  await stream.ended
  const seconds = (performance.now() - disabledAt) / 1_000
  assert.ok(seconds < 3, `the open event stream ended after ${seconds} s`)
  await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { active: true } }))
  assert.equal(await opens(), 401, "an ended session stays ended")
  assert.equal((await call("DELETE", `/Users/${id}`)).status, 204)
  assert.equal((await call("GET", `/Users/${id}`)).status, 404)
  const log = await server.as(org.owner).get("/audit-log?limit=100")
  assert.match(log.body, /scim:Entra ID/)
})

test("Okta pushes a group, and roles are groups too; owners stay as they are", async (t) => {
  const server = await testApp(t)
  const { org, call, hub, plannerId, ownerId, roleId } = await aDirectory(server)
  const people = []
  for (const givenName of ["Ben", "Cleo"]) {
    const made = await call("POST", "/Users", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName: anEmail(),
      name: { givenName, familyName: "Okta" },
      displayName: `${givenName} Okta`,
      locale: "en-US",
      externalId: `00u${givenName}`,
      groups: [],
      password: "1mz050nq",
      active: true,
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    people.push(made.body.id as string)
  }
  const [ben, cleo] = people
  const group = await call("POST", "/Groups", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
    displayName: "Night shift",
    members: [{ value: ben, display: "ben" }],
  })
  assert.equal(group.status, 201, JSON.stringify(group.body))
  assert.deepEqual(
    group.body.members.map(({ value }: { value: string }) => value),
    [ben],
  )
  const path = `/Groups/${group.body.id}`
  await call("PATCH", path, patchOf({ op: "add", path: "members", value: [{ value: cleo }] }))
  await call(
    "PATCH",
    path,
    patchOf({ op: "replace", value: { id: group.body.id, displayName: "Late shift" } }),
  )
  const known = await call("GET", `/Groups?filter=id eq "${group.body.id}" and members eq "${ben}"`)
  assert.equal(known.body.totalResults, 1, "Entra ID asks for a member before it adds one")
  const left = await call("PATCH", path, patchOf({ op: "remove", path: `members[value eq "${ben}"]` }))
  assert.equal(left.body.displayName, "Late shift")
  assert.deepEqual(
    left.body.members.map(({ value }: { value: string }) => value),
    [cleo],
  )
  const seen = await call("GET", `/Users/${cleo}`)
  assert.deepEqual(seen.body["urn:ietf:params:scim:schemas:extension:fieldway:2.0:User"].hubs, [
    { value: hub.id },
  ])

  const promoted = await call(
    "PATCH",
    `/Groups/${plannerId}`,
    patchOf({ op: "add", path: "members", value: [{ value: cleo }] }),
  )
  assert.equal(promoted.status, 200, JSON.stringify(promoted.body))
  assert.equal((await call("GET", `/Users/${cleo}`)).body.roles[0].value, plannerId)
  await call(
    "PATCH",
    `/Groups/${plannerId}`,
    patchOf({ op: "Remove", path: "members", value: [{ value: cleo }] }),
  )
  assert.equal((await call("GET", `/Users/${cleo}`)).body.roles[0].value, roleId)
  const owned = await call(
    "PATCH",
    `/Groups/${ownerId}`,
    patchOf({ op: "add", path: "members", value: [{ value: cleo }] }),
  )
  assert.deepEqual([owned.status, owned.body.scimType], [403, "mutability"])
  for (const refused of [
    await call("PATCH", `/Users/${org.owner.id}`, patchOf({ op: "replace", path: "active", value: false })),
    await call("DELETE", `/Users/${org.owner.id}`),
  ])
    assert.ok(refused.status >= 400 && refused.status < 500, JSON.stringify(refused.body))
  assert.equal((await server.as(org.owner).get("/user")).statusCode, 200)
  assert.equal((await call("DELETE", path)).status, 204)
})

test("filters, pages, cursors, versions, bulk and discovery follow the RFCs, within bounds", async (t) => {
  const server = await testApp(t)
  const { call, org } = await aDirectory(server)
  const bulk = await call("POST", "/Bulk", {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
    failOnErrors: 2,
    Operations: [
      { method: "POST", path: "/Users", bulkId: "a", data: { userName: anEmail(), displayName: "Zoe Last" } },
      {
        method: "POST",
        path: "/Users",
        bulkId: "b",
        data: { userName: anEmail(), displayName: "Adam First" },
      },
      {
        method: "POST",
        path: "/Groups",
        bulkId: "g",
        data: { displayName: "Bulk", members: [{ value: "bulkId:a" }, { value: "bulkId:late" }] },
      },
      { method: "POST", path: "/Users", bulkId: "late", data: { userName: anEmail(), displayName: "Lee" } },
      { method: "POST", path: "/Users", bulkId: "c", data: {} },
      { method: "DELETE", path: "/Users/ffffffffffffffffffffffff" },
      { method: "POST", path: "/Users", bulkId: "d", data: { userName: anEmail() } },
    ],
  })
  assert.deepEqual(
    bulk.body.Operations.map(({ status }: { status: string }) => status),
    ["201", "201", "201", "201", "400", "404"],
  )
  const names = async (query: string) => {
    const reply = await call("GET", `/Users?${query}`)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.Resources.map(({ displayName }: { displayName: string }) => displayName)
  }
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`
  assert.deepEqual(
    await names(`sortBy=displayName&${filter('displayName sw "a" or displayName ew "LAST"')}`),
    ["Adam First", "Zoe Last"],
  )
  assert.deepEqual(
    await names(filter('not (displayName co "e") and emails[type eq "work" and value co "scim"]')),
    ["Adam First"],
  )
  assert.deepEqual(
    await names(filter('urn:ietf:params:scim:schemas:core:2.0:User:displayName eq "zoe last"')),
    ["Zoe Last"],
  )
  assert.equal((await names(filter('meta.created gt "2020-01-01T00:00:00Z" and externalId pr'))).length, 0)
  for (const bad of [
    "userName",
    "userName eq",
    'userName zz "x"',
    "(a pr",
    "active gt true",
    `${"(".repeat(50)}a pr${")".repeat(50)}`,
    `${"a pr and ".repeat(100)}a pr`,
    "x".repeat(5_000),
  ])
    assert.equal(
      (await call("GET", `/Users?${filter(bad)}`)).body.scimType,
      "invalidFilter",
      bad.slice(0, 30),
    )
  const second = await call("GET", "/Users?startIndex=2&count=1&sortBy=displayName")
  assert.deepEqual([second.body.totalResults, second.body.itemsPerPage, second.body.startIndex], [4, 1, 2])
  const beyond = (await call("GET", "/Users?startIndex=50&count=10")).body
  assert.deepEqual([beyond.totalResults, beyond.itemsPerPage, beyond.Resources], [4, 0, []])
  assert.equal((await call("GET", "/Users?count=0")).body.totalResults, 4)
  const seen: string[] = []
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof call>> = await call("GET", `/Users?count=2&cursor=${cursor}`)
    seen.push(...page.body.Resources.map(({ id }: { id: string }) => id))
    cursor = page.body.nextCursor
  }
  assert.equal(new Set(seen).size, 4)
  assert.equal((await call("GET", "/Users?cursor=nonsense")).body.scimType, "invalidCursor")
  const [first] = (await call("GET", `/Users?${filter('displayName eq "Zoe Last"')}&attributes=userName`))
    .body.Resources
  assert.deepEqual(Object.keys(first).toSorted(), ["id", "schemas", "userName"])
  const parts = await call("GET", `/Users/${first.id}?attributes=NAME.familyName`)
  assert.deepEqual(parts.body.name, { familyName: "Last" })
  const one = await call("GET", `/Users/${first.id}`)
  const etag = String(one.headers.etag)
  for (const known of [etag, `"other", ${etag}`, etag.replace("W/", "")])
    assert.equal(
      (await call("GET", `/Users/${first.id}`, undefined, { "if-none-match": known })).status,
      304,
      known,
    )
  const rename = patchOf({ op: "replace", path: "displayName", value: "Zoe Other" })
  assert.equal((await call("PATCH", `/Users/${first.id}`, rename, { "if-match": 'W/"old"' })).status, 412)
  assert.equal(
    (await call("PATCH", `/Users/${first.id}`, rename, { "if-match": `"x", ${etag}` })).body.displayName,
    "Zoe Other",
  )
  assert.equal((await call("DELETE", `/Users/${first.id}`, undefined, { "if-match": etag })).status, 412)
  const put = { USERNAME: one.body.userName, DisplayName: "Zoe Put", Active: "False" }
  const replaced = (await call("PUT", `/Users/${first.id}`, put)).body
  assert.deepEqual([replaced.displayName, replaced.active], ["Zoe Put", false])
  assert.equal((await call("GET", "/Me")).status, 501)
  const kinds = await call("POST", "/.search", { filter: 'displayName sw "zoe" or displayName eq "Bulk"' })
  assert.deepEqual(
    kinds.body.Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType).toSorted(),
    ["Group", "User"],
  )
  assert.equal(
    (await call("PATCH", `/Users/${first.id}`, patchOf({ op: "add", path: "__proto__.x", value: 1 }))).status,
    400,
  )

  const foreign = await aDirectory(server)
  assert.equal((await foreign.call("GET", `/Users/${first.id}`)).status, 404)
  assert.equal((await foreign.call("DELETE", `/Users/${first.id}`)).status, 404)
  assert.equal((await foreign.call("GET", "/Users")).body.totalResults, 1)
  const session = { authorization: `Bearer ${await tokenOf(server.sql, org.owner)}` }
  assert.equal((await call("GET", "/ServiceProviderConfig", undefined, session)).body.bulk.maxOperations, 100)
  assert.equal((await call("GET", "/Users", undefined, session)).status, 401)
  const unknown = await call("GET", "/ServiceProviderConfig", undefined, { authorization: "Bearer no" })
  assert.deepEqual([unknown.status, unknown.headers["www-authenticate"]], [401, 'Bearer realm="scim"'])
  assert.equal((await call("GET", "/ResourceTypes")).body.totalResults, 2)
  assert.equal((await call("GET", `/Schemas/urn:ietf:params:scim:schemas:core:2.0:User`)).status, 200)
  const admin = await aUser(server.sql, { org, role: "admin" })
  const asked = { name: "x", roleId: "f".repeat(24), hubId: "f".repeat(24) }
  assert.equal((await server.as(admin).post("/scim-token", asked)).json().failedCode, "scim-036")
})
