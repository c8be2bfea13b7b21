import assert from "node:assert/strict"
import { createRequire } from "node:module"
import { test } from "node:test"
import { anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { selfSigned } from "#testing/services/self-signed-certificate.ts"
import { type Reply, type TestApp, testApp } from "#testing/test-app.ts"

/** What is used of the identity provider; its own types bring those of browsers into the whole project. */
interface Samlify {
  IdentityProvider(settings: Readonly<Record<string, unknown>>): {
    parseLoginRequest(
      service: object,
      binding: "redirect",
      request: object,
    ): Promise<{ extract: { request?: { id?: string } } }>
    createLoginResponse(
      service: object,
      request: object,
      binding: "post",
      user: object,
      options: { customTagReplacement(template: string): { id: string; context: string } },
    ): Promise<{ context: string }>
  }
  ServiceProvider(settings: { metadata: string }): object
  SamlLib: { replaceTagsByValue(template: string, values: Readonly<Record<string, string>>): string }
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void
}
const { IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } = createRequire(import.meta.url)(
  "samlify",
) as Samlify

// The requests that this identity provider reads are ours; their schema is not the point.
setSchemaValidator({ validate: async () => "ok" })

interface Options {
  /** Query of the redirect to the directory; without it the sign-in begins there. */
  asked?: URL
  /** Changes of what is in the assertion by default. */
  tags?: Record<string, string>
}

/** Which request a response is to, and the cookies of the browser that made it. */
const askedOf = new Map<string, URL>()
const browserOf = new WeakMap<URL, string>()

/** A directory: its keys, its set-up in an organization and its responses. */
async function aDirectory(server: TestApp, org: Organization, keys = selfSigned("directory.example")) {
  const azureCert = { filename: "directory.cer", content: keys.certificate }
  const made = await server
    .as(org.owner)
    .expect(201)
    .upload("/app-integration", { azureAuthUrl: "https://directory.example/saml2", azureCert, name: "Works" })
  const metadata = (await server.nobody.get("/auth/sso/metadata")).body
  const service = ServiceProvider({ metadata })
  const directory = IdentityProvider({
    entityID: "https://directory.example/",
    privateKey: keys.privateKeyPem,
    signingCert: keys.certificate,
    requestSignatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
    singleSignOnService: [
      {
        Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
        Location: "https://directory.example/saml2",
      },
    ],
  })
  const respond = async (email: string, { asked, tags = {} }: Options = {}): Promise<string> => {
    const query = Object.fromEntries(asked?.searchParams ?? [])
    const request = asked ? await directory.parseLoginRequest(service, "redirect", { query }) : undefined
    const address = "http://fieldway.test/api/v3/auth/sso"
    const values = {
      ID: `_r${Math.random()}`.replace(".", ""),
      AssertionID: `_a${Math.random()}`.replace(".", ""),
      Destination: address,
      Audience: `${address}/metadata`,
      SubjectRecipient: address,
      Issuer: "https://directory.example/",
      IssueInstant: inMinutes(0),
      StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
      ConditionsNotBefore: inMinutes(0),
      ConditionsNotOnOrAfter: inMinutes(5),
      SubjectConfirmationDataNotOnOrAfter: inMinutes(5),
      NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
      NameID: email,
      InResponseTo: request?.extract.request?.id ?? "",
      AuthnStatement: "",
      AttributeStatement: "",
      ...tags,
    }
    const customTagReplacement = (template: string) => {
      const filled = template.replace("{AttributeStatement}", values.AttributeStatement)
      return { id: values.ID, context: SamlLib.replaceTagsByValue(filled, values) }
    }
    const created = await directory.createLoginResponse(
      service,
      { extract: {} },
      "post",
      { email },
      { customTagReplacement },
    )
    if (asked) askedOf.set(created.context, asked)
    return created.context
  }
  return { id: made.json().data._id as string, wire: made.json().data, respond }
}
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

async function start(server: TestApp, integrationId: string, next = "/tasks"): Promise<URL> {
  const reply = await server.nobody
    .expect(302)
    .get(`/auth/sso/${integrationId}/start?next=${encodeURIComponent(next)}`)
  const asked = new URL(String(reply.headers.location))
  browserOf.set(asked, reply.cookies.map(({ name, value }) => `${name}=${value}`).join("; "))
  return asked
}

/** Posts as a page of the directory does, which brings no cookie of ours along. */
function postForm(server: TestApp, samlResponse: string, relayState?: string): Promise<Reply> {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://directory.example" }
  const form = { SAMLResponse: samlResponse, ...(relayState ? { RelayState: relayState } : {}) }
  return server.nobody.post("/auth/sso", new URLSearchParams(form).toString(), headers)
}

/** Posts a response and follows it to its end in the browser that began. */
async function post(server: TestApp, samlResponse: string): Promise<Reply> {
  const asked = askedOf.get(samlResponse)
  const posted = await postForm(server, samlResponse, asked?.searchParams.get("RelayState") ?? undefined)
  const [path, ticket] = String(posted.headers.location).split("/finish?")
  if (path !== "/api/v3/auth/sso" || !ticket) return posted
  return server.nobody.get(`/auth/sso/finish?${ticket}`, { cookie: (asked && browserOf.get(asked)) ?? "" })
}

const cookieOf = (reply: Reply) =>
  `fieldway_session=${reply.cookies.find(({ name }) => name === "fieldway_session")?.value ?? ""}`

const me = (server: TestApp, cookie: string) =>
  server.nobody.get("/user", { cookie, "sec-fetch-site": "same-origin" })

test("somebody signs in with the directory of their organization", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const person = await aUser(server.sql, { org, role: "planner" })
  const directory = await aDirectory(server, org)
  assert.equal(directory.wire.callbackUrl, "http://fieldway.test/api/v3/auth/sso")
  const asked = await start(server, directory.id)
  assert.equal(asked.origin + asked.pathname, "https://directory.example/saml2")
  const reply = await post(server, await directory.respond(person.email.toUpperCase(), { asked }))
  assert.deepEqual([reply.statusCode, reply.headers.location], [302, "/tasks"])
  assert.match(String(reply.headers["set-cookie"]), /fieldway_session=[^,]*HttpOnly[^,]*SameSite=Strict/)
  assert.equal((await me(server, cookieOf(reply))).json().email, person.email)
  const elsewhere = await anOrganization(server.sql)
  await aUser(server.sql, { org: elsewhere, role: "planner", email: person.email })
  const session = { cookie: cookieOf(reply), "sec-fetch-site": "same-origin" }
  await server.nobody.expect(403).post("/auth/switch-organization", { organizationId: elsewhere.id }, session)
})

test("an assertion is good once, for this service, for a short while, and only as its directory signed it", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const person = await aUser(server.sql, { org, role: "planner" })
  const directory = await aDirectory(server, org)
  const asked = await start(server, directory.id)
  const first = await directory.respond(person.email, { asked })
  assert.equal((await post(server, first)).headers.location, "/tasks")
  const launcher = await directory.respond(person.email)
  assert.equal((await post(server, launcher)).headers.location, directory.wire.signInUrl)
  const signed = Buffer.from(launcher, "base64").toString()
  const forged = (change: (xml: string) => string) => Buffer.from(change(signed)).toString("base64")
  const other = await aUser(server.sql, { org, role: "planner" })
  const refused: [string, string][] = [
    ["expired", first],
    ["failed", forged((xml) => xml.replaceAll(person.email, other.email))],
    ["failed", forged((xml) => xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, ""))],
    ["failed", forged((xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`)],
    [
      "failed",
      forged((xml) =>
        xml.replace(
          /<saml:Assertion/,
          `${xml.match(/<saml:Assertion[\s\S]*<\/saml:Assertion>/)?.[0]}<saml:Assertion`,
        ),
      ),
    ],
    ["failed", Buffer.from("no xml").toString("base64")],
    ["failed", await directory.respond(person.email, { tags: { Audience: "https://other.example/" } })],
    [
      "failed",
      await directory.respond(person.email, { tags: { SubjectRecipient: "https://other.example/" } }),
    ],
    ["failed", await directory.respond(person.email, { tags: { ConditionsNotOnOrAfter: inMinutes(-5) } })],
    ["failed", await directory.respond(person.email, { tags: { ConditionsNotBefore: inMinutes(5) } })],
    ["failed", await directory.respond(person.email, { tags: { IssueInstant: inMinutes(-30) } })],
    [
      "failed",
      await directory.respond(person.email, { tags: { SubjectConfirmationDataNotOnOrAfter: inMinutes(-5) } }),
    ],
    ["expired", await directory.respond(person.email, { tags: { InResponseTo: "_unknown" } })],
    [
      "unknown",
      await directory.respond("stranger@fieldway.test", { asked: await start(server, directory.id) }),
    ],
  ]
  for (const [index, [reason, response]] of refused.entries()) {
    const reply = await post(server, response)
    assert.equal(reply.headers.location, `/sign-in?sso=${reason}`, `case ${index}`)
    assert.ok(!reply.cookies.some(({ name }) => name === "fieldway_session"))
  }
  // Clocks differ by a little.
  const skewed = { ConditionsNotBefore: inMinutes(2), ConditionsNotOnOrAfter: inMinutes(-2) }
  for (const [tag, value] of Object.entries(skewed))
    assert.equal(
      (await post(server, await directory.respond(person.email, { tags: { [tag]: value } }))).headers
        .location,
      directory.wire.signInUrl,
    )
})

test("a directory speaks for its own organization only, and lets nobody in who waits or was sent away", async () => {
  const server = await testApp()
  const [org, theirs] = [await anOrganization(server.sql), await anOrganization(server.sql)]
  const victim = await aUser(server.sql, { org, role: "planner" })
  const invited = await aUser(server.sql, { org: theirs, role: "planner", status: "pending" })
  const disabled = await aUser(server.sql, { org: theirs, role: "planner", status: "disabled" })
  const ours = await aDirectory(server, org)
  const foreign = await aDirectory(server, theirs)
  const locationOf = async (response: string) => (await post(server, response)).headers.location
  assert.equal(await locationOf(await foreign.respond(victim.email)), "/sign-in?sso=failed")
  const asked = await start(server, foreign.id)
  assert.equal(await locationOf(await foreign.respond(victim.email, { asked })), "/sign-in?sso=unknown")
  const mixed = await start(server, ours.id)
  assert.equal(await locationOf(await foreign.respond(victim.email, { asked: mixed })), "/sign-in?sso=failed")
  const askedForeign = () => start(server, foreign.id)
  assert.equal(
    await locationOf(await foreign.respond(invited.email, { asked: await askedForeign() })),
    "/sign-in?sso=waiting",
  )
  assert.equal(
    await locationOf(await foreign.respond(disabled.email, { asked: await askedForeign() })),
    "/sign-in?sso=unknown",
  )
  const log = (await server.as(theirs.owner).get("/audit-log?action=session.refuse")).json()
  assert.ok(JSON.stringify(log).includes(invited.email))
})

test("a role that demands a code still gets one, and links elsewhere are not followed", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const careful = await aUser(server.sql, { org, permissions: ["view/task", "security/otp-email"] })
  const person = await aUser(server.sql, { org, role: "planner" })
  const directory = await aDirectory(server, org)
  const begun = await start(server, directory.id)
  const reply = await post(server, await directory.respond(careful.email, { asked: begun }))
  const { searchParams } = new URL(String(reply.headers.location), "http://fieldway.test")
  const waiting = await server.nobody.get(`/secret/${searchParams.get("challenge")}`)
  assert.equal(waiting.json().data.method, "email")
  assert.ok(!reply.cookies.some(({ name }) => name === "fieldway_session"))
  const asked = await start(server, directory.id, "//elsewhere.example/")
  const back = await post(server, await directory.respond(person.email, { asked }))
  assert.equal(back.headers.location, "/")
  const gone = await server.nobody.get("/auth/sso/ffffffffffffffffffffffff/start")
  assert.equal(gone.headers.location, "/sign-in?sso=unreachable")
})

test("a response of SAML signs in the browser that began and no other, once, and never by being posted alone", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const attacker = await aUser(server.sql, { org, role: "planner" })
  const directory = await aDirectory(server, org)
  // An attacker's own valid response, posted by the attacker's page in another person's browser.
  const unasked = await postForm(server, await directory.respond(attacker.email))
  assert.deepEqual([unasked.statusCode, unasked.headers.location], [303, directory.wire.signInUrl])
  assert.deepEqual(unasked.cookies, [])
  const asked = await start(server, directory.id)
  const own = browserOf.get(asked) ?? ""
  const relayState = asked.searchParams.get("RelayState") ?? ""
  const response = await directory.respond(attacker.email, { asked })
  assert.equal(
    (await postForm(server, response, `_${"0".repeat(40)}`)).headers.location,
    "/sign-in?sso=failed",
  )
  assert.equal(
    (await postForm(server, await directory.respond(attacker.email), relayState)).headers.location,
    "/sign-in?sso=failed",
  )
  const posted = await postForm(server, response, relayState)
  assert.deepEqual([posted.statusCode, posted.cookies], [303, []])
  const ticket = String(posted.headers.location).replace("/api/v3", "")
  const victim = browserOf.get(await start(server, directory.id)) ?? ""
  const theirs = await server.nobody.get(ticket, { cookie: victim })
  assert.equal(theirs.headers.location, "/sign-in?sso=failed")
  assert.ok(!theirs.cookies.some(({ name }) => name === "fieldway_session"))
  const late = await server.nobody.get(ticket, { cookie: own })
  assert.equal(late.headers.location, "/sign-in?sso=expired")
  const again = await start(server, directory.id)
  await server.sql`update sso_requests set expires_at = now() - interval '1 second'`
  const expired = await post(server, await directory.respond(attacker.email, { asked: again }))
  assert.equal(expired.headers.location, "/sign-in?sso=expired")
})

test("a directory makes members by signed attributes only, also from its launcher, and invites people of others", async () => {
  const server = await testApp()
  const org = await anOrganization(server.sql)
  const directory = await aDirectory(server, org)
  await server.sql`update app_integrations set email_domains = '{fieldway.test}' where id = ${directory.id}`
  const [role] = await server.sql<{ admin: string; worker: string }[]>`
    select max(id) filter (where name = 'admin') as admin, max(id) filter (where name = 'field user') as worker
    from roles where organization_id = ${org.id}`
  const groupClaim = "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups"
  const groups = [{ group: "7c1b", roleId: role?.admin, hubId: [], teamId: [] }]
  const settings = {
    ...{ createsMembers: true, needsGroup: false, roleId: role?.worker, hubId: [], teamId: [] },
    ...{ groupClaim, scope: null, appliesGroups: "everySignIn", groups },
  }
  await server.as(org.owner).expect(200).put(`/app-integration/${directory.id}/provisioning`, settings)
  const attributes = (id: string) =>
    `<saml:AttributeStatement><saml:Attribute Name="${groupClaim}"><saml:AttributeValue>other</saml:AttributeValue>
      <saml:AttributeValue>${id}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`
  const respond = async (email: string, id: string, asked?: URL) =>
    directory.respond(email, {
      asked: asked ?? (await start(server, directory.id)),
      tags: { AttributeStatement: attributes(id) },
    })
  const locationOf = async (response: string) => (await post(server, response)).headers.location
  const roleNow = async (email: string) => {
    const [row] = await server.sql<{ text: string }[]>`
      select concat_ws(' ', users.status, roles.name) as text
      from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
      where users.organization_id = ${org.id} and users.email = ${email}`
    return row?.text
  }
  const email = `ana-${process.pid}@fieldway.test`
  const launched = await directory.respond(email, { tags: { AttributeStatement: attributes("7c1b") } })
  assert.equal(await locationOf(launched), directory.wire.signInUrl)
  assert.equal(await roleNow(email), undefined)
  assert.equal(await locationOf(await respond(email, "7c1b")), "/tasks")
  assert.equal(await roleNow(email), "active admin")
  // The group is gone at the directory; then somebody writes it into the response.
  assert.equal(await locationOf(await respond(email, "none")), "/tasks")
  assert.equal(await roleNow(email), "active field user")
  const asked = await start(server, directory.id)
  const signed = Buffer.from(await respond(email, "none", asked), "base64").toString()
  const forged = Buffer.from(signed.replace(">none<", ">7c1b<")).toString("base64")
  askedOf.set(forged, asked)
  assert.equal(await locationOf(forged), "/sign-in?sso=failed")
  assert.equal(await roleNow(email), "active field user")
  const elsewhere = await aUser(server.sql, { org: await anOrganization(server.sql), role: "planner" })
  assert.equal(await locationOf(await respond(elsewhere.email, "7c1b")), "/sign-in?sso=waiting")
  assert.equal(await roleNow(elsewhere.email), "pending admin")
})
