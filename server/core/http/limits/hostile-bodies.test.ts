import assert from "node:assert/strict"
import { test } from "node:test"
import { Type } from "typebox"
import { anOrganization } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"
import { parseNumber as parseCell } from "../../../../packages/spreadsheets/parse-number.ts"
import { AppError } from "../../errors.ts"
import { parseNumber } from "../tolerance.ts"
import { entryReader } from "../validation.ts"

/** Processor time of this process; what waits costs nothing. */
function cpuMilliseconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function refusalBy(read: () => unknown): AppError {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  assert.fail("not refused")
}

test("a number of any length is read or refused at once", () => {
  const texts = [
    "1".repeat(1_000_000),
    `${"1".repeat(300_000)}x`,
    `${" ".repeat(300_000)}x`,
    `${"1,".repeat(300_000)}x`,
  ]
  for (const text of texts)
    for (const read of [
      () => parseNumber(text),
      () => parseCell(text, { decimal: "," }),
      () => parseCell(text, { decimal: "." }),
    ])
      assert.ok(cpuMilliseconds(read) < 100, text.slice(0, 10))
  assert.equal(parseNumber("1e309"), undefined)
  assert.equal(parseNumber("-12.50"), -12.5)
  assert.equal(parseNumber("12."), 12)
  assert.equal(parseNumber(".5e2"), 50)
})

const Part = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 20 }),
  count: Type.Integer({ minimum: 0 }),
  kind: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Object({ of: Type.String() })]),
  tags: Type.Array(Type.String({ format: "email" }), { maxItems: 3 }),
})
const Body = Type.Object({
  parts: Type.Optional(Type.Array(Part)),
  few: Type.Optional(Type.Array(Part, { maxItems: 100 })),
  text: Type.Optional(Type.String({ maxLength: 10 })),
  map: Type.Optional(Type.Record(Type.String(), Type.Integer(), { maxProperties: 5 })),
})

test("a body of a wrong shape costs no more than a right one, however much is wrong with it", () => {
  const read = entryReader(Body, "task")
  const list = (length: number, of: unknown) => Array.from({ length }, () => of)
  const hostile: Record<string, unknown>[] = [
    { parts: list(300_000, {}) },
    { parts: list(300_000, 7) },
    { parts: list(900, { name: 1, count: "x", kind: 9, tags: ["x", "y", "z"] }) },
    { parts: list(200, {}) },
    { few: list(300_000, {}) },
    { parts: [{ name: "x".repeat(2_000_000), count: 1, kind: "a", tags: [] }] },
    { parts: [{ name: "x", count: 1, kind: "a", tags: "a,".repeat(1_000_000) }] },
    { text: "x".repeat(5_000_000) },
    { map: Object.fromEntries(list(100_000, 0).map((_, index) => [`k${index}`, "x"])) },
  ]
  assert.ok(refusalBy(() => read({ parts: [{}] })))
  for (const body of hostile) {
    let refusal: AppError | undefined
    const spent = cpuMilliseconds(() => {
      refusal = refusalBy(() => read(body))
    })
    const what = JSON.stringify(body).slice(0, 60)
    assert.ok(spent < 700, `${what}: ${spent} ms`)
    assert.equal(refusal?.http, 400, what)
    const texts = Object.values(refusal?.fields ?? {}).flat()
    assert.ok(texts.length >= 1 && texts.length <= 20, `${what}: ${texts.length} errors`)
  }
  const tooMany = refusalBy(() => read({ few: list(101, {}) }))
  assert.deepEqual([tooMany.failedCode, tooMany.message], ["task-040", "few must have at most 100 items"])
  const all = refusalBy(() => read({ parts: [{ name: "", count: -1, kind: "a", tags: ["x"] }], text: "x" }))
  assert.equal(Object.keys(all.fields ?? {}).length, 3)
})

test("no body of any size or shape occupies the server for a second", async (t) => {
  const { sql, as, nobody } = await testApp(t)
  const { owner } = await anOrganization(sql)
  const json = { "content-type": "application/json" }
  const digits = `{"hub":{"lat":"${"1".repeat(60_000)}x"}}`
  const calls: [string, () => Promise<{ statusCode: number }>][] = [
    ["digits", () => nobody.put("/account", digits, json)],
    ["flows", () => nobody.put("/account", `{"flows":[${"{},".repeat(20_000)}{}]}`, json)],
  ]
  for (const [what, unit] of [
    ["objects", "{},"],
    ["lists", "[],"],
    ["numbers", "1,"],
    ["long numbers", `${"1".repeat(500)},`],
  ] as const)
    for (const [path, field] of [
      ["/tasks/bulk", "task"],
      ["/routing", "visits"],
      ["/flow", "components"],
    ] as const) {
      const room = path === "/flow" ? 7_000_000 : 15_000_000
      const body = `{"${field}":[${unit.repeat(Math.floor(room / unit.length))}${unit.slice(0, -1)}]}`
      calls.push([`${what} to ${path}`, () => as(owner).post(path, body, json)])
    }
  for (const [what, call] of calls) {
    const before = process.cpuUsage()
    const { statusCode } = await call()
    const { user, system } = process.cpuUsage(before)
    assert.ok(statusCode >= 400 && statusCode < 500, `${what}: ${statusCode}`)
    assert.ok(user + system < 1_000_000, `${what}: ${(user + system) / 1000} ms`)
  }
})

test("fields of a form that come as JSON are text, and nothing that cannot become text", async (t) => {
  const { sql, as } = await testApp(t)
  const { owner } = await anOrganization(sql)
  for (const emailDomains of [{ toString: 1, valueOf: 1 }, [{ toString: 1 }]]) {
    const reply = await as(owner).post("/app-integration", { emailDomains })
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "appin-016"], reply.body)
  }
})

test("a key that reaches a prototype is refused, however it is written", async (t) => {
  const { sql, as } = await testApp(t)
  const { owner } = await anOrganization(sql)
  const json = { "content-type": "application/json" }
  for (const body of [
    '{"__proto__":{"a":1}}',
    '{"\\u005f_proto__":{"a":1}}',
    '{"data":{"list":[{"\\u005f\\u005fproto\\u005f\\u005f":1}]}}',
    '{"constructor":{"prototype":{"a":1}}}',
  ])
    for (const [method, path] of [
      ["patch", "/task/6a01c0ffee5de0b4a7710c11"],
      ["post", "/org-data"],
    ] as const) {
      const reply = await as(owner)[method](path, body, json)
      assert.deepEqual([reply.statusCode, reply.json().failedCode?.slice(-3)], [400, "013"], body)
    }
  await as(owner).expect(201).post("/org-data", '{"name":"\\u005fa","data":{"note":"__proto__"}}', json)
})

test("a JSON number too large for a double is refused, in any notation; a text is not a number", async (t) => {
  const { as, sql } = await testApp(t)
  const org = await anOrganization(sql)
  const post = (trips: string) =>
    as(org.owner).post("/route-calculate", `{"trips":${trips}}`, { "content-type": "application/json" })
  for (const number of ["1e309", "-1E+400", "1".repeat(400)]) {
    const reply = await post(`[{"visitId":"x","tripOrder":${number}}]`)
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "route-013"], number.slice(0, 10))
    assert.match(reply.json().message, /number is too large/)
  }
  for (const number of ["1e30", '"1e309"', "1".repeat(200)])
    assert.notEqual((await post(`[{"visitId":"x","note":${number}}]`)).json().failedCode, "route-013")
})

test("a body costs no more for the keys of its objects than for their number", async (t) => {
  const { as, org } = await testOrganization(t)
  const objects = (count: number, keys: number, key: (object: number, index: number) => string) =>
    Array.from({ length: count }, (_, object) =>
      Object.fromEntries(Array.from({ length: keys }, (_, index) => [key(object, index), 1])),
    )
  const hostile = [
    objects(1, 60_000, (_, index) => `k${index}`)[0],
    { tags: objects(600, 100, (object, index) => `k${object}_${index}`) },
    { tags: objects(600, 100, (object, index) => `k${index === 0 ? object : index}`) },
  ]
  for (const body of hostile) {
    const reply = await as(org.owner).post("/hub", body)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().message, /too many different keys/)
  }
  const many = {
    name: "North",
    address: "Main road 1",
    lat: 1,
    lng: 2,
    tags: objects(2000, 100, (_, index) => `k${index}`),
  }
  await as(org.owner).expect(200).post("/hub", many)
})
