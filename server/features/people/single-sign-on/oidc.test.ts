import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import Provider from "oidc-provider"
import { aHub, anOrganization, aTeam, aUser, type Organization } from "#samples/builders.ts"
import { selfSigned } from "#testing/services/self-signed-certificate.ts"
import { type Reply, testApp } from "#testing/test-app.ts"

/** The next person to sign in at the provider. */
interface AtProvider {
  email: string
  isVerified: boolean
  name?: string
  groups?: string[]
}
let person: AtProvider = { email: "", isVerified: true }
let provider: Provider | undefined
const server = createServer((request, reply) => {
  if (!provider) throw new Error("no provider yet")
  if (request.url?.startsWith("/interaction/"))
    void provider.interactionFinished(request, reply, { login: { accountId: person.email } })
  else provider.callback()(request, reply)
}).listen(0, "127.0.0.1")
after(() => server.close())
const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function aProvider(org: Organization): Provider {
  const key = selfSigned("provider.example").privateKey.export({ format: "jwk" })
  return new Provider(issuer(), {
    jwks: { keys: [{ ...key, use: "sig", alg: "RS256", kid: "one" }] },
    cookies: { keys: ["of a test"] },
    clients: [
      {
        client_id: "fieldway",
        client_secret: "of-the-client-only",
        redirect_uris: [`http://fieldway.test/api/v3/auth/sso/${org.id}/callback`],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => {
        const { isVerified, name, groups } = person
        return { sub: id, email: id, email_verified: isVerified, name, groups }
      },
    }),
    async loadExistingGrant(context: {
      oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } }
    }) {
      const { client, session } = context.oidc
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      })
      grant.addOIDCScope("openid email profile groups")
      await grant.save()
      return grant
    },
  })
}

/** A browser at the provider: keeps its cookies and follows it until it sends people back to us. */
async function atProvider(from: string): Promise<string> {
  const jar = new Map<string, string>()
  for (let url = from; ; ) {
    const reply = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/)
      jar.set(name, value)
    }
    const next = new URL(reply.headers.get("location") ?? assert.fail(await reply.text()), url).href
    if (next.startsWith("http://fieldway.test/")) return next.replace("http://fieldway.test/api/v3", "")
    url = next
  }
}

const cookiesOf = (reply: Reply) => reply.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")

async function aPlace() {
  const app = await testApp(undefined, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(app.sql)
  await app.sql`update accounts set email_verified_time = now() where email = ${org.owner.email}`
  provider = aProvider(org)
  const made = await app
    .as(org.owner)
    .expect(201)
    .post("/app-integration", {
      integrationType: "oidc",
      name: "Works",
      issuerUrl: issuer(),
      clientId: "fieldway",
      clientSecret: "of-the-client-only",
      emailDomains: ["fieldway.test"],
    })
  const start = () => app.nobody.get(`/auth/sso/${made.json().data._id}/start?next=/tracking`)
  const signIn = async (who: AtProvider) => {
    person = who
    const begun = await start()
    const back = await atProvider(String(begun.headers.location))
    return app.nobody.get(back, { cookie: cookiesOf(begun) })
  }
  return { app, org, integration: made.json().data, start, signIn }
}

function locationOf(reply: Reply): unknown {
  return reply.headers.location
}

test("somebody signs in with a provider of OpenID Connect that the sign-in page offers them", async () => {
  const { app, org, integration, signIn } = await aPlace()
  const offered = (await app.nobody.get("/auth/sso?email=somebody@FIELDWAY.test")).json().data
  const [button] = offered.filter(({ _id }: { _id: string }) => _id === integration._id)
  assert.deepEqual([button.name, button.signInUrl], ["Works", integration.signInUrl])
  const of = await app.nobody.get(`/auth/sso?organizationId=${org.id}`)
  assert.equal(of.json().data.length, 1)
  assert.deepEqual((await app.nobody.get("/auth/sso?email=somebody@elsewhere.example")).json().data, [])
  const member = await aUser(app.sql, { org, role: "planner" })
  const reply = await signIn({ email: member.email, isVerified: true })
  assert.equal(locationOf(reply), "/tracking")
  const session = cookiesOf(reply)
  const me = await app.nobody.get("/user", { cookie: session, "sec-fetch-site": "same-origin" })
  assert.equal(me.json().email, member.email)
})

test("a response counts once, in the browser that began, and for a verified address only", async () => {
  const { app, org, start, signIn } = await aPlace()
  const member = await aUser(app.sql, { org, role: "planner" })
  assert.equal(locationOf(await signIn({ email: member.email, isVerified: false })), "/sign-in?sso=failed")
  const stranger = await signIn({ email: "stranger@fieldway.test", isVerified: true })
  assert.equal(locationOf(stranger), "/sign-in?sso=unknown")
  person = { email: member.email, isVerified: true }
  const begun = await start()
  const back = await atProvider(String(begun.headers.location))
  assert.equal(locationOf(await app.nobody.get(back)), "/sign-in?sso=failed")
  const again = await app.nobody.get(back, { cookie: cookiesOf(begun) })
  assert.equal(locationOf(again), "/sign-in?sso=expired")
  const cancelled = await start()
  const state = new URL(String(cancelled.headers.location)).searchParams.get("state")
  const denied = await app.nobody.get(`/auth/sso/${org.id}/callback?error=access_denied&state=${state}`, {
    cookie: cookiesOf(cancelled),
  })
  assert.equal(locationOf(denied), "/sign-in?sso=failed")
})

test("the client's secret is stored sealed and never shown, and providers are called like any foreign address", async () => {
  const { app, org, integration, signIn } = await aPlace()
  const owner = app.as(org.owner)
  assert.equal(integration.clientSecret, "********")
  const changed = await owner.put(`/app-integration/${integration._id}`, {
    integrationType: "oidc",
    name: "Renamed",
    clientSecret: "********",
  })
  assert.deepEqual([changed.json().data.name, changed.json().data.issuerUrl], ["Renamed", issuer()])
  const member = await aUser(app.sql, { org, role: "planner" })
  assert.equal(locationOf(await signIn({ email: member.email, isVerified: true })), "/tracking")
  const [row] = await app.sql<{ all: string }[]>`
    select string_agg(t::text, '') as all from (
      select app_integrations::text as t from app_integrations union all select audit_log::text from audit_log) t`
  assert.equal(row?.all.includes(Buffer.from("of-the-client-only").toString("hex")), false)
  assert.equal(row?.all.includes("of-the-client-only"), false)
  const inside = await owner.post("/app-integration", {
    integrationType: "oidc",
    issuerUrl: "https://169.254.169.254/",
    clientId: "x",
  })
  const start = await app.nobody.get(`/auth/sso/${inside.json().data._id}/start`)
  assert.equal(locationOf(start), "/sign-in?sso=unreachable")
  for (const [code, bad] of [
    ["appin-003", { emailDomains: "elsewhere.example" }],
    ["appin-007", { issuerUrl: "javascript:x()" }],
    ["appin-001", { issuerUrl: "" }],
  ] as const) {
    const body = { integrationType: "oidc", issuerUrl: issuer(), clientId: "x", ...bad }
    assert.equal((await owner.post("/app-integration", body)).json().failedCode, code)
  }
})

test("a link with somebody's own code of OpenID Connect signs nobody else in, and stores nothing that finishes it", async () => {
  const { app, org, start } = await aPlace()
  const attacker = await aUser(app.sql, { org, role: "planner" })
  person = { email: attacker.email, isVerified: true }
  const begun = await start()
  const asked = new URL(String(begun.headers.location)).searchParams
  const [stored] = await app.sql<{ row: string }[]>`
    select r::text as row from sso_requests r where id = ${asked.get("state")}`
  assert.equal(stored?.row.includes(asked.get("nonce") ?? ""), false)
  const link = await atProvider(String(begun.headers.location))
  // The victim's browser has begun a sign-in of its own, so it has cookies of that.
  const victim = cookiesOf(await start())
  const clicked = await app.nobody.get(link, { cookie: victim })
  assert.equal(locationOf(clicked), "/sign-in?sso=failed")
  assert.ok(!clicked.cookies.some(({ name }) => name === "fieldway_session"))
  assert.equal(locationOf(await app.nobody.get(link, { cookie: cookiesOf(begun) })), "/sign-in?sso=expired")
})

async function aMapping() {
  const place = await aPlace()
  const { app, org, integration } = place
  const [here, there, far] = [
    await aHub(app.sql, { org }),
    await aHub(app.sql, { org }),
    await aHub(app.sql, { org }),
  ]
  const team = await aTeam(app.sql, { org, hub: there })
  const owner = app.as(org.owner)
  const roles: { _id: string; name: string }[] = (await owner.get("/roles")).json().data
  const roleOf = (name: string) => roles.find((role) => role.name === name)?._id ?? assert.fail(name)
  const path = `/app-integration/${integration._id}/provisioning`
  const settings = {
    ...{
      createsMembers: true,
      needsGroup: false,
      roleId: roleOf("field user"),
      hubId: [here.id],
      teamId: [],
    },
    ...{ groupClaim: "groups", scope: "groups", appliesGroups: "everySignIn" },
    groups: [
      { group: "dispatch", roleId: roleOf("planner"), hubId: [], teamId: [team.id] },
      { group: "admins", roleId: roleOf("admin"), hubId: [far.id], teamId: [] },
    ],
  }
  await owner.expect(200).put(path, settings)
  /** `name status role`, hubs and teams of a member. */
  const placeOf = async (email: string) => {
    const [row] = await app.sql<{ text: string; hubs: string[]; teams: string[] }[]>`
      select concat_ws(' ', users.name, users.status, roles.name) as text,
        array(select hub_id from user_hubs where user_id = users.id) as hubs,
        array(select team_id from user_teams where user_id = users.id) as teams
      from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
      where users.organization_id = ${org.id} and users.email = ${email}`
    return row && [row.text, row.hubs.toSorted(), row.teams]
  }
  const sorted = (...hubs: { id: string }[]) => hubs.map(({ id }) => id).toSorted()
  return { ...place, owner, here, there, far, team, roleOf, path, settings, placeOf, sorted }
}

const newcomer = (name: string) => `${name}-${process.pid}@fieldway.test`

test("whom the provider vouches for becomes a member at the first sign-in, with what the groups give, today's at each later one", async () => {
  const { app, org, owner, here, there, far, team, placeOf, signIn, sorted } = await aMapping()
  const email = newcomer("ana")
  const ana = { email, isVerified: true, name: "Ana Silva", groups: ["coffee", "dispatch"] }
  assert.equal(locationOf(await signIn(ana)), "/tracking")
  assert.deepEqual(await placeOf(email), ["Ana Silva active planner", sorted(here, there), [team.id]])
  const log = JSON.stringify((await owner.get("/audit-log?action=user.create")).json())
  assert.ok(log.includes("sso:Works") && log.includes(email))
  const ofThere = await aTeam(app.sql, { org, hub: there })
  await app.sql`insert into user_teams select organization_id, id, ${ofThere.id} from users where email = ${email}`
  // A hub given by hand stays; what the list of groups mentions follows the groups.
  const byHand = await aHub(app.sql, { org })
  await app.sql`insert into user_hubs select organization_id, id, ${byHand.id} from users where email = ${email}`
  await signIn({ ...ana, groups: [] })
  assert.deepEqual(await placeOf(email), ["Ana Silva active field user", sorted(here, byHand), []])
  await signIn({ ...ana, groups: ["admins", "dispatch"] })
  assert.deepEqual(await placeOf(email), [
    "Ana Silva active planner",
    sorted(here, there, far, byHand),
    [team.id],
  ])
})

test("a provider makes no member of another domain, of an address that it does not vouch for, or of an account of others", async () => {
  const { app, org, owner, path, settings, placeOf, signIn } = await aMapping()
  const refused = async (email: string, isVerified = true, groups: string[] = ["admins"]) =>
    String(locationOf(await signIn({ email, isVerified, groups }))).replace("/sign-in?sso=", "")
  assert.equal(await refused("ana@elsewhere.example"), "unknown")
  assert.equal(await refused(newcomer("unverified"), false), "failed")
  const elsewhere = await anOrganization(app.sql)
  const theirs = await aUser(app.sql, { org: elsewhere, role: "planner", name: "Theirs" })
  assert.deepEqual([await refused(theirs.email), await refused(theirs.email)], ["waiting", "waiting"])
  assert.match(String(await placeOf(theirs.email)), /pending/)
  const [mails] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from mails where recipient = ${theirs.email}`
  assert.equal(mails?.count, 1)
  const disabled = await aUser(app.sql, { org, role: "field user", status: "disabled", name: "Off" })
  assert.equal(await refused(disabled.email), "unknown")
  assert.deepEqual(await placeOf(disabled.email), ["Off disabled field user", [], []])
  await owner.expect(200).put(path, { ...settings, needsGroup: true })
  assert.equal(await refused(newcomer("nobody"), true, ["Dispatch", "coffee"]), "unknown")
  await owner.expect(200).put(path, { ...settings, createsMembers: false })
  assert.equal(await refused(newcomer("late")), "unknown")
  await owner.expect(200).delete(path)
  const member = await aUser(app.sql, { org, role: "field user", name: "Bo" })
  assert.equal(await refused(member.email), "/tracking")
  assert.deepEqual(await placeOf(member.email), ["Bo active field user", [], []])
})

test("groups neither make nor unmake owners, and count only as the provider signs them", async () => {
  const { app, org, owner, roleOf, path, settings, placeOf, start, signIn } = await aMapping()
  await signIn({ email: org.owner.email, isVerified: true, groups: ["dispatch"] })
  assert.match(String(await placeOf(org.owner.email)), /active owner/)
  const second = await aUser(app.sql, { org, role: "owner", name: "Second" })
  assert.equal(locationOf(await signIn({ email: second.email, isVerified: true, groups: [] })), "/tracking")
  assert.match(String(await placeOf(second.email)), /Second active owner/)
  // Somebody adds a group to the way back.
  const email = newcomer("forger")
  person = { email, isVerified: true, groups: [] }
  const begun = await start()
  const back = await atProvider(String(begun.headers.location))
  const forged = await app.nobody.get(`${back}&groups=admins`, { cookie: cookiesOf(begun) })
  assert.equal(locationOf(forged), "/tracking")
  assert.match(String(await placeOf(email)), /active field user/)
  const foreign = await anOrganization(app.sql)
  const foreignHub = await aHub(app.sql, { org: foreign })
  const weak = app.as(
    await aUser(app.sql, {
      org,
      permissions: ["view/integration", "edit/integration", "invite", "edit/member"],
    }),
  )
  const without = app.as(await aUser(app.sql, { org, permissions: ["edit/integration"] }))
  for (const [who, body, status, code] of [
    [owner, { ...settings, roleId: roleOf("owner") }, 400, "appin-018"],
    [owner, { ...settings, groups: [{ ...settings.groups[0], roleId: org.owner.roleId }] }, 400, "appin-018"],
    [owner, { ...settings, hubId: [foreignHub.id] }, 400, "appin-018"],
    [owner, { ...settings, groupClaim: null }, 400, "appin-018"],
    [owner, { ...settings, groups: [settings.groups[0], settings.groups[0]] }, 400, "appin-018"],
    [weak, { ...settings, hubId: [], groups: [] }, 403, "appin-036"],
    [without, settings, 403, "auth-003"],
  ] as const) {
    const reply = await who.put(path, body)
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [status, code], reply.body)
  }
  // Who could not grant the roles does not point the connection at a provider of their own either.
  const moved = await weak.put(path.replace("/provisioning", ""), { issuerUrl: "https://own.example" })
  assert.deepEqual([moved.statusCode, moved.json().failedCode], [403, "appin-036"], moved.body)
  assert.equal((await app.as(foreign.owner).put(path, settings)).statusCode, 404)
})
