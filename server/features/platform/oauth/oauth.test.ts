import assert from "node:assert/strict"
import { createHash, randomBytes } from "node:crypto"
import { test } from "node:test"
import { anOrganization, aUser, type Person } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"

const redirectUri = "https://client.test/back"
const verifier = randomBytes(32).toString("base64url")
const challenge = createHash("sha256").update(verifier).digest("base64url")
const environment = { OAUTH_REGISTRATION: "open" }

interface Made {
  _id: string
  clientId: string
  clientSecret: string | null
}

async function aClient(server: TestApp, person: Person, more: Record<string, unknown> = {}): Promise<Made> {
  const reply = await server
    .as(person)
    .expect(201)
    .post("/oauth-client", {
      name: "Planner bot",
      redirectUris: [redirectUri],
      scopes: ["view/task", "view/hub", "add/hub"],
      ...more,
    })
  return reply.json().data
}

const requestOf = (clientId: string, more: Record<string, string> = {}) => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "view/task view/hub",
  state: "s1",
  code_challenge: challenge,
  code_challenge_method: "S256",
  ...more,
})

async function consent(server: TestApp, person: Person, request: Record<string, string>): Promise<URL> {
  const reply = await server
    .as(person)
    .expect(200)
    .post("/oauth-consent", { ...request, isAllowed: true })
  return new URL(reply.json().data.location)
}

function post({ app }: TestApp, path: string, form: Record<string, string>, client?: Made) {
  const basic = client && Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64")
  return app.inject({
    method: "POST",
    url: path,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(basic && { authorization: `Basic ${basic}` }),
    },
    payload: new URLSearchParams(form).toString(),
  })
}

const redemption = (code: string, more: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
  ...more,
})

async function statusWith({ app }: TestApp, token: string, path = "/hubs", method: "GET" | "POST" = "GET") {
  const headers = { authorization: `Bearer ${token}` }
  const payload = { name: "x", address: "a", lat: 1, lng: 1 }
  return (await app.inject({ method, url: `/api/v3${path}`, headers, ...(method === "POST" && { payload }) }))
    .statusCode
}

test("a person allows an application what both may; the code works once, and its second use ends the tokens", async (t) => {
  const server = await testApp(t, environment)
  const org = await anOrganization(server.sql)
  const client = await aClient(server, org.owner)
  const worker = await aUser(server.sql, { org, permissions: ["view/hub", "add/hub", "edit/hub"] })
  const request = requestOf(client.clientId)
  const page = await server.app.inject({ url: `/oauth/authorize?${new URLSearchParams(request)}` })
  assert.equal(page.statusCode, 302)
  assert.match(String(page.headers.location), /^\/authorize\?request=\w+/)
  const asked = (await server.as(worker).get(`/oauth-consent?${new URLSearchParams(request)}`)).json().data
  assert.deepEqual(asked.scopes, [{ name: "view/hub", label: "View hub" }])
  assert.equal(asked.host, "client.test")
  const back = await consent(server, worker, request)
  assert.equal(back.searchParams.get("state"), "s1")
  assert.equal(back.searchParams.get("iss"), "http://fieldway.test")
  const code = back.searchParams.get("code") ?? ""
  const reply = await post(server, "/oauth/token", redemption(code), client)
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(reply.headers["cache-control"], "no-store")
  const tokens = reply.json()
  assert.equal(tokens.scope, "view/hub")
  assert.equal(await statusWith(server, tokens.access_token), 200)
  assert.equal(await statusWith(server, tokens.access_token, "/hub", "POST"), 403)
  assert.equal(await statusWith(server, tokens.refresh_token), 401)
  assert.equal((await server.as(worker).get("/oauth-grants")).json().data[0].name, "Planner bot")

  const again = await post(server, "/oauth/token", redemption(code), client)
  assert.deepEqual([again.statusCode, again.json().error], [400, "invalid_grant"])
  assert.equal(await statusWith(server, tokens.access_token), 401)
  assert.equal(
    (
      await post(
        server,
        "/oauth/token",
        { grant_type: "refresh_token", refresh_token: tokens.refresh_token },
        client,
      )
    ).statusCode,
    400,
  )
})

test("refresh tokens rotate, reuse ends everything, scopes only shrink, and disconnecting ends all", async (t) => {
  const server = await testApp(t, environment)
  const org = await anOrganization(server.sql)
  const client = await aClient(server, org.owner)
  const start = async () => {
    const code = (await consent(server, org.owner, requestOf(client.clientId))).searchParams.get("code")
    return (await post(server, "/oauth/token", redemption(code ?? ""), client)).json()
  }
  const refresh = (token: string, more = {}) =>
    post(server, "/oauth/token", { grant_type: "refresh_token", refresh_token: token, ...more }, client)
  const first = await start()
  const second = await refresh(first.refresh_token, { scope: "view/hub" })
  assert.equal(second.json().scope, "view/hub")
  const wider = await refresh(second.json().refresh_token, { scope: "view/hub edit/organization" })
  assert.equal(wider.json().error, "invalid_scope")
  assert.equal((await refresh(second.json().refresh_token)).statusCode, 200, "a refusal does not use it up")
  const reused = await refresh(first.refresh_token)
  assert.equal(reused.json().error, "invalid_grant")
  for (const token of [first.access_token, second.json().access_token])
    assert.equal(await statusWith(server, token), 401)

  const third = await start()
  const [grant] = (await server.as(org.owner).get("/oauth-grants")).json().data
  await server.as(org.owner).expect(200).delete(`/oauth-grant/${grant._id}`)
  assert.equal(await statusWith(server, third.access_token), 401)
  const fourth = await start()
  const revoked = await post(server, "/oauth/revoke", { token: fourth.access_token }, client)
  assert.equal(revoked.statusCode, 200)
  assert.equal(await statusWith(server, fourth.access_token), 401)
  assert.equal((await refresh(fourth.refresh_token)).statusCode, 200)
  assert.equal((await post(server, "/oauth/revoke", { token: "nonsense" }, client)).statusCode, 200)
})

test("attacks on the authorization fail: redirects, PKCE, other clients, other organizations, tokens instead of people", async (t) => {
  const server = await testApp(t, environment)
  const [org, other] = [await anOrganization(server.sql), await anOrganization(server.sql)]
  const [client, second] = [await aClient(server, org.owner), await aClient(server, org.owner)]
  const authorize = (request: Record<string, string>) =>
    server.app.inject({ url: `/oauth/authorize?${new URLSearchParams(request)}` })
  for (const uri of [
    "https://client.test/back/",
    "https://client.test/back?x=1",
    "https://client.test.evil.test/back",
    "https://client.test@evil.test/back",
    "javascript:alert(1)",
    "",
  ]) {
    const reply = await authorize(requestOf(client.clientId, { redirect_uri: uri }))
    assert.equal(reply.statusCode, 400, uri)
    assert.equal(reply.headers.location, undefined)
    assert.match(String(reply.headers["content-security-policy"]), /frame-ancestors 'none'/)
  }
  assert.equal((await authorize(requestOf("fwc_<script>"))).statusCode, 404)
  for (const [more, error] of [
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: "edit/organization" }, "invalid_scope"],
    [{ scope: "everything" }, "invalid_scope"],
    [{ resource: "https://elsewhere.test" }, "invalid_target"],
    [{ resource: "http://fieldway.test.evil.test/mcp" }, "invalid_target"],
  ] as const) {
    const location = new URL(String((await authorize(requestOf(client.clientId, more))).headers.location))
    assert.equal(location.searchParams.get("error"), error)
    assert.equal(location.searchParams.get("iss"), "http://fieldway.test")
    assert.equal(location.origin, "https://client.test")
  }
  const code = (await consent(server, org.owner, requestOf(client.clientId))).searchParams.get("code") ?? ""
  for (const [form, by] of [
    [redemption(code, { code_verifier: "a".repeat(43) }), client],
    [{ ...redemption(code), code_verifier: "" }, client],
    [redemption(code, { redirect_uri: "https://client.test/other" }), client],
    [redemption(code), second],
  ] as const)
    assert.equal((await post(server, "/oauth/token", form, by)).json().error, "invalid_grant")
  const wrongSecret = { ...client, clientSecret: "fws_guess" }
  assert.equal((await post(server, "/oauth/token", redemption(code), wrongSecret)).statusCode, 401)
  const noSecret = await post(server, "/oauth/token", redemption(code, { client_id: client.clientId }))
  assert.equal(noSecret.statusCode, 401)
  const twice = await server.app.inject({
    method: "POST",
    url: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "grant_type=client_credentials&client_id=a&client_id=b",
  })
  assert.equal(twice.json().error, "invalid_request")
  assert.equal((await post(server, "/oauth/token", redemption(code), client)).statusCode, 200)

  const foreign = await server
    .as(other.owner)
    .get(`/oauth-consent?${new URLSearchParams(requestOf(client.clientId))}`)
  assert.equal(foreign.json().failedCode, "oauth-036")
  assert.equal((await server.as(other.owner).get(`/oauth-client/${client._id}`)).statusCode, 404)
  const personal = (
    await server.as(org.owner).post("/token", { name: "t", expires_at: "2098-12-31 17:00:00" })
  ).json().data.token
  const byToken = await server.nobody.post(
    "/oauth-consent",
    { ...requestOf(client.clientId), isAllowed: true },
    { authorization: `Bearer ${personal}` },
  )
  assert.equal(byToken.statusCode, 403)
})

test("a service acts as the person who saved it, a public client registers itself, and metadata says all this", async (t) => {
  const server = await testApp(t, environment)
  const org = await anOrganization(server.sql)
  const admin = await aUser(server.sql, {
    org,
    permissions: ["add/integration", "edit/integration", "view/hub"],
  })
  const service = await aClient(server, admin, { isService: true })
  const form = { grant_type: "client_credentials" }
  const made = (await post(server, "/oauth/token", form, service)).json()
  assert.equal(made.refresh_token, undefined)
  assert.equal(await statusWith(server, made.access_token), 200)
  assert.equal(await statusWith(server, made.access_token, "/hub", "POST"), 403)
  const rotated = await server.as(admin).expect(200).post(`/oauth-client/${service._id}/rotate-secret`)
  assert.equal(await statusWith(server, made.access_token), 401)
  assert.equal((await post(server, "/oauth/token", form, service)).statusCode, 401)
  const fresh = { ...service, clientSecret: rotated.json().data.clientSecret as string }
  const next = (await post(server, "/oauth/token", form, fresh)).json().access_token
  await server.sql`update users set status = 'disabled' where id = ${admin.id}`
  assert.equal(await statusWith(server, next), 401)
  assert.equal((await post(server, "/oauth/token", form, fresh)).json().error, "invalid_grant")

  const register = (payload: Record<string, unknown>) =>
    server.app.inject({ method: "POST", url: "/oauth/register", payload })
  const bad = await register({ redirect_uris: ["http://evil.test/"] })
  assert.equal(bad.json().error, "invalid_redirect_uri")
  const registered = (
    await register({ client_name: "Desk\u202Etop", redirect_uris: ["http://127.0.0.1/cb"] })
  ).json()
  assert.equal(registered.client_name, "Desktop")
  const request = requestOf(registered.client_id, { redirect_uri: "http://127.0.0.1:51234/cb" })
  const code = (await consent(server, org.owner, request)).searchParams.get("code") ?? ""
  const tokens = await post(
    server,
    "/oauth/token",
    redemption(code, { client_id: registered.client_id, redirect_uri: "http://127.0.0.1:51234/cb" }),
  )
  assert.equal(await statusWith(server, tokens.json().access_token), 200)

  const metadata = (await server.app.inject({ url: "/.well-known/oauth-authorization-server" })).json()
  assert.equal(metadata.issuer, "http://fieldway.test")
  assert.deepEqual(metadata.code_challenge_methods_supported, ["S256"])
  assert.ok(metadata.registration_endpoint)
  const resource = (await server.app.inject({ url: "/.well-known/oauth-protected-resource/mcp" })).json()
  assert.deepEqual(resource.authorization_servers, ["http://fieldway.test"])
})
