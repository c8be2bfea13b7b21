import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, aUser } from "#samples/builders.ts"
import { aCustomModule } from "#samples/extension-builders.ts"
import { testApp, testOrganization, type UploadFile } from "#testing/test-app.ts"
import { isHarmlessSvg } from "./check-files.ts"

const script = (content: Buffer | string, filename = "stock.js"): UploadFile => ({ filename, content })
const icon = (content: string): UploadFile => ({ filename: "stock.svg", content })
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>'
const text = { name: "Stock Counter", description: "Counts what is in stock" }

test("a plugin is uploaded, read, changed and deleted", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const made = await owner.expect(201).upload("/plugin", {
    ...text,
    resourceFile: script("export const start = () => import('./x.js')"),
    icon: icon(svg),
  })
  const plugin = made.json().data
  assert.match(plugin.resourceFile, /^\d+_Stock-Counter\.js$/)
  assert.deepEqual([plugin.status, plugin.isUsed, plugin.organizationName], ["active", false, org.name])
  const module = await aCustomModule(sql, { org })
  const changed = await owner
    .expect(200)
    .upload(
      `/addon/${plugin.id}`,
      { _method: "PUT", ...text, name: "Counter", customModuleId: module.id, status: "inactive" },
      "PUT",
    )
  const { resourceFile, customModuleId, status } = changed.json().data
  assert.deepEqual([resourceFile, customModuleId, status], [plugin.resourceFile, module.id, "inactive"])
  const member = as(await aUser(sql, { org, permissions: [] }))
  const list = (await member.get("/plugins?status=inactive&q=counter")).json().data
  assert.deepEqual([list.total, list.per_page, list.data[0].id], [1, 10, plugin.id])
  const gone = (await owner.delete(`/plugin/${plugin.id}`)).json()
  assert.equal(gone.data.deletedPluginId, plugin.id)
  assert.equal((await owner.get(`/plugin/${plugin.id}`)).statusCode, 404)
})

test("what is no plugin is refused, each in its way", async (t) => {
  const { as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const cases: [number, string, Record<string, string | UploadFile>][] = [
    [400, "VALIDATION_ERROR", { ...text }],
    [400, "VALIDATION_ERROR", { ...text, name: "ab", resourceFile: script("1") }],
    [415, "INVALID_FILE_TYPE", { ...text, resourceFile: script("1", "stock.html") }],
    [415, "INVALID_FILE_TYPE", { ...text, resourceFile: script("1"), icon: icon("<svg onload='x()'/>") }],
    [413, "FILE_TOO_LARGE", { ...text, resourceFile: script(Buffer.alloc(6 * 1024 * 1024, " ")) }],
    [422, "INVALID_JAVASCRIPT", { ...text, resourceFile: script("function (") }],
    [422, "INVALID_JAVASCRIPT", { ...text, resourceFile: script("<!doctype html><p>Hello</p>") }],
    [422, "INVALID_JAVASCRIPT", { ...text, resourceFile: script("const a: number = 1") }],
  ]
  for (const [statusCode, code, parts] of cases) {
    const reply = await owner.upload("/plugin", parts)
    assert.deepEqual([reply.statusCode, reply.json().error?.code], [statusCode, code], reply.body)
    assert.match(reply.json().timestamp, /Z$/)
    if (statusCode === 413) assert.equal(reply.json().failedCode, "plugn-015")
  }
  assert.equal((await owner.upload("/plugin", { ...text, resourceFile: script("1") })).statusCode, 201)
  const again = await owner.upload("/plugin", { ...text, resourceFile: script("1") })
  assert.deepEqual([again.statusCode, again.json().failedCode], [409, "plugn-031"])
})

test("a script that breaks the parser is refused, and the next one is taken", async (t) => {
  const { sql, as } = await testApp(t)
  const [attacker, org] = [await anOrganization(sql), await anOrganization(sql)]
  const hostile = {
    nested: `export default ${"(".repeat(20_000)}1${")".repeat(20_000)}`,
    arrows: `export default ${"a=>".repeat(50_000)}1`,
    unclosed: "[".repeat(500_000),
  }
  for (const [name, content] of Object.entries(hostile)) {
    const refused = await as(attacker.owner).upload("/plugin", { ...text, resourceFile: script(content) })
    assert.deepEqual([refused.statusCode, refused.json().error?.code], [422, "INVALID_JAVASCRIPT"], name)
    const module = script(`export const ${name} = () => import('./x.js')`)
    await as(org.owner)
      .expect(201)
      .upload("/plugin", {
        ...text,
        name: `After ${name}`,
        resourceFile: module,
      })
  }
})

test("a global plugin is read by everybody and changed by nobody", async (t) => {
  const { sql, as } = await testApp(t)
  const [staff, org] = [await anOrganization(sql), await anOrganization(sql)]
  const made = await as(staff.owner).upload("/plugin", { ...text, resourceFile: script("1") })
  const { id } = made.json().data
  assert.equal((await as(org.owner).get(`/plugin/${id}`)).json().failedCode, "plugn-035")
  await sql`update plugins set scope = 'system' where id = ${id}`
  const seen = (await as(org.owner).get(`/plugin/${id}`)).json().data
  assert.deepEqual([seen.organizationId, seen.organizationName], ["system", "Global"])
  assert.equal((await as(staff.owner).delete(`/plugin/${id}`)).statusCode, 403)
})

test("an icon is a picture alone", () => {
  assert.equal(isHarmlessSvg(svg), true)
  for (const bad of [
    "<svg><script>x()</script></svg>",
    "<svg><a href='javascript:x()'/></svg>",
    "<svg><foreignObject/></svg>",
    "<svg><image href='https://elsewhere.example/a.png'/></svg>",
    "<svg><style>@import url(https://elsewhere.example)</style></svg>",
    "<html/>",
    "no picture",
  ])
    assert.equal(isHarmlessSvg(bad), false, bad)
})

test("a plugin runs once it is installed, and reads what it asks for, was granted, and its reader may", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const owner = as(org.owner)
  const content = "// @permissions view/task, view/hub\nfieldway.onPage(() => {})"
  const made = await owner.upload("/plugin", { ...text, resourceFile: script(content) })
  const { id, permissions } = made.json().data
  assert.deepEqual(permissions, ["view/hub", "view/task"])
  const asPlugin = { "x-fieldway-plugin": id }
  assert.equal((await owner.get("/tasks", asPlugin)).json().failedCode, "plugn-035", "it is not installed")

  const tooMuch = { isUsed: true, grantedPermissions: ["view/user"] }
  assert.equal((await owner.put(`/plugin/${id}/installation`, tooMuch)).statusCode, 400)
  const grant = { isUsed: true, grantedPermissions: ["view/task"] }
  const installed = (await owner.put(`/plugin/${id}/installation`, grant)).json().data
  assert.deepEqual([installed.isUsed, installed.grantedPermissions], [true, ["view/task"]])
  assert.equal((await owner.get("/tasks", asPlugin)).statusCode, 200)
  const refused = [
    await owner.get("/hubs", asPlugin),
    await owner.get("/user", asPlugin),
    await owner.get("/file/view?url=x", asPlugin),
    await owner.post("/hub", { name: "North", address: "Quay 1", lat: 1, lng: 1 }, asPlugin),
    await as((await anOrganization(sql)).owner).get("/tasks", asPlugin),
    await as(await aUser(sql, { org, permissions: ["view/hub"] })).get("/tasks", asPlugin),
  ]
  assert.deepEqual(
    refused.map(({ statusCode }) => statusCode),
    Array(refused.length).fill(403),
  )

  const member = as(await aUser(sql, { org, permissions: [] }))
  const list = await member.expect(200).get("/plugins/running")
  const [running] = list.json().data
  assert.deepEqual([running.id, running.permissions], [id, []])
  const frame = await app.inject(running.frameUrl)
  const policy = String(frame.headers["content-security-policy"])
  assert.match(policy, /default-src 'none'; script-src 'nonce-[^']+'; .*sandbox allow-scripts/)
  const source = /src="([^"]+)"/.exec(frame.body)?.[1]?.replaceAll("&amp;", "&") ?? ""
  assert.equal((await app.inject(source)).body, content)
  assert.equal((await app.inject(running.frameUrl.split("?")[0])).statusCode, 404, "unsigned")

  await owner.put(`/plugin/${id}/installation`, { isUsed: false })
  assert.deepEqual((await member.get("/plugins/running")).json().data, [])
  assert.equal((await owner.get("/tasks", asPlugin)).statusCode, 403)
  assert.equal((await app.inject(running.frameUrl)).statusCode, 404)
})

test("a plugin that asks for a permission that does not exist is refused", async (t) => {
  const { as, org } = await testOrganization(t)
  const reply = await as(org.owner).upload("/plugin", {
    ...text,
    resourceFile: script("/* @permissions view/everything */ 1"),
  })
  assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "plugn-017"])
})
