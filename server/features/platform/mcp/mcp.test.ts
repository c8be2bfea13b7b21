import assert from "node:assert/strict"
import { test } from "node:test"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { aFlow, aHub, anOrganization, aTask, aUser, type Person } from "#samples/builders.ts"
import { type TestApp, testApp, testOrganization, tokenOf } from "#testing/test-app.ts"

interface Result {
  status?: number
  result?: Record<string, unknown>
  nextCursor?: string
  hint?: string
  dryRun?: string
  undo?: { tool?: string; arguments?: Record<string, unknown>; none?: string }
  message?: string
}

interface Task {
  _id: string
  assignee: unknown
  status: string
  startTime: string
  endTime: string
  hubId: string
}

/** A client of the official library, whose requests arrive without a socket. */
async function connect({ app, sql }: TestApp, person: Person, search = "") {
  const token = await tokenOf(sql, person)
  const client = new Client({ name: "dispatcher", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL(`http://fieldway.test/mcp${search}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      const reply = await app.inject({
        method: (init?.method ?? "GET") as "GET",
        url: new URL(url).pathname + new URL(url).search,
        headers: Object.fromEntries(new Headers(init?.headers as Record<string, string>)),
        ...(typeof init?.body === "string" && { payload: init.body }),
      })
      const isEmpty = [202, 204].includes(reply.statusCode)
      return new Response(isEmpty ? null : reply.body, {
        status: reply.statusCode,
        headers: reply.headers as Record<string, string>,
      })
    },
  })
  await client.connect(transport)
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [first] = content as { text: string }[]
    return { isError: isError === true, ...(JSON.parse(first?.text ?? "{}") as Result) }
  }
  const done = async (name: string, given: Record<string, unknown> = {}) => {
    const result = await call(name, given)
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`)
    return result
  }
  return { client, call, done }
}

async function toolNames(client: Client): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    names.push(...page.tools.map(({ name }) => name))
    cursor = page.nextCursor
  }
  return names
}

test("tools are the operations that the caller may call, and only those", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const viewer = await aUser(server.sql, { org, permissions: ["view/task"] })
  const owner = await connect(server, org.owner)
  const { client } = await connect(server, viewer)
  const [all, few] = [await toolNames(owner.client), await toolNames(client)]
  assert.ok(all.length > 200 && all.includes("patchTask") && all.includes("deleteHub"))
  assert.ok(!all.includes("login") && !all.includes("streamEvents"))
  assert.ok(few.includes("listTasks") && !few.includes("deleteHub") && few.length < all.length / 2)
  const teams = await toolNames((await connect(server, org.owner, "?sections=Teams")).client)
  assert.ok(teams.length >= 5 && teams.length < 10 && teams.includes("listTeams"))
  // Errors of the protocol (-32602), not results of a tool.
  await assert.rejects(client.callTool({ name: "deleteHub", arguments: { hubId: "a".repeat(24) } }), {
    code: -32602,
  })
  await assert.rejects(client.listTools({ cursor: "nonsense" }), { code: -32602 })
})

test("a call without a valid token names the metadata of the authorization server", async (t) => {
  const { app } = await testApp(t)
  for (const headers of [{}, { authorization: "Bearer fw_nonsense" }]) {
    const reply = await app.inject({ method: "POST", url: "/mcp", headers, payload: {} })
    assert.equal(reply.statusCode, 401)
    assert.match(
      String(reply.headers["www-authenticate"]),
      /^Bearer resource_metadata="http:\/\/fieldway\.test\/\.well-known\/oauth-protected-resource\/mcp"/,
    )
  }
})

test("a page of another site is refused, token or not", async (t) => {
  const { app, sql, org } = await testOrganization(t)
  const authorization = `Bearer ${await tokenOf(sql, org.owner)}`
  const status = async (origin: string) => {
    const headers = {
      authorization,
      origin,
      host: new URL(origin).host,
      accept: "application/json, text/event-stream",
    }
    const payload = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
    return (await app.inject({ method: "POST", url: "/mcp?sections=Tags", headers, payload })).statusCode
  }
  assert.equal(await status("http://evil.example"), 403)
  assert.equal(await status("http://fieldway.test"), 200)
  assert.equal(await status("http://127.0.0.1:6274"), 200)
})

test("a scripted dispatcher does thirty jobs, sees no other organization, and undoes everything", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const org = await anOrganization(sql)
  const foreign = await anOrganization(sql, { name: "Elsewhere" })
  const foreignHub = await aHub(sql, { org: foreign, name: "Secret depot" })
  const foreignFlow = await aFlow(sql, { org: foreign })
  const foreignTask = await aTask(sql, { org: foreign, hub: foreignHub, flow: foreignFlow })
  const hub = await aHub(sql, { org, name: "North" })
  const flow = await aFlow(sql, { org })
  const [ana, ben] = await Promise.all(
    ["Ana", "Ben"].map((name) =>
      aUser(sql, { org, name, hubs: [hub], permissions: ["view/task", "do/task"] }),
    ),
  )
  assert.ok(ana && ben)
  const now = Temporal.Now.instant()
  const [startTime, endTime] = [now.subtract({ hours: 3 }), now.subtract({ hours: 1 })]
  await aTask(sql, { org, hub, flow, assignee: [ana], refId: "4711", startTime, endTime })
  for (let number = 0; number < 24; number += 1) await aTask(sql, { org, hub, flow, assignee: [ana] })
  const snapshot = async () => {
    const owner = server.as(org.owner).expect(200)
    const rows = (await owner.get(`/tasks?limit=100&sortBy=_id`)).json().tasks.data as Task[]
    const tasks = rows.map(({ _id, assignee, status, startTime, endTime, hubId }) =>
      JSON.stringify({ _id, assignee, status, startTime, endTime, hubId }),
    )
    const lists = []
    for (const list of ["/hubs", "/teams", "/vehicles", "/task/schedules"])
      lists.push(((await owner.get(list)).body.match(/"_id"/g) ?? []).length)
    return [...tasks.toSorted(), ...lists]
  }
  const before = await snapshot()
  const { done, call } = await connect(server, org.owner)
  const undos: NonNullable<Result["undo"]>[] = []
  const seen: unknown[] = []
  const change = async (name: string, given: Record<string, unknown>) => {
    const result = await done(name, given)
    assert.ok(result.undo?.tool, `${name} has a way back: ${JSON.stringify(result.undo)}`)
    undos.push(result.undo)
    return result
  }
  const look = async (name: string, given: Record<string, unknown> = {}) => {
    const result = await done(name, given)
    seen.push(result)
    return result
  }
  const tasksOf = async (given: Record<string, unknown>) => {
    const { result, nextCursor } = await look("listTasks", { hubId: hub.id, ...given })
    return { tasks: (result as { tasks: { data: Task[] } }).tasks.data, nextCursor }
  }
  const first = await tasksOf({})
  const ids = first.tasks.map(({ _id }) => _id)
  const [taskId] = ids
  let free: string | undefined
  const vehicle = { name: "Van 7", hubId: hub.id, speed: 40, capacity: {}, assignee: ben.email }
  const jobs: Record<string, () => Promise<unknown>> = {
    "1 show today's work": async () => assert.equal(first.tasks.length, 20),
    "2 show the rest of it": async () =>
      assert.equal((await tasksOf({ cursor: first.nextCursor })).tasks.length, 5),
    "3 who is Ben": () => look("listUsers", { q: "Ben" }),
    "4 what is this task": () => look("getTask", { taskId }),
    "5 what happened to it": () => look("listTaskHistories", { taskId }),
    "6 try to give it to Ben": async () => {
      const tried = await done("assignTask", { taskId, body: { assignee: ben.email }, dryRun: true })
      assert.match(tried.dryRun ?? "", /Nothing was changed/)
      assert.deepEqual(await snapshot(), before)
    },
    "7 give it to Ben": async () => {
      await change("patchTask", { taskId, body: { assignee: [ben.email] } })
      assert.notDeepEqual(await snapshot(), before)
    },
    "8 what has Ana still to do": async () =>
      assert.ok((await tasksOf({ assignee: ana.email })).tasks.length > 0),
    "9 what has Ben to do": () => tasksOf({ assignee: ben.email }),
    "10 who has time for Ana's afternoon": async () => {
      const { result } = await look("suggestAssignees", { body: { taskIds: ids.slice(2, 6) } })
      const suggested = result?.data as { people: { email: string }[] } | undefined
      free = suggested?.people.find(({ email }) => email !== ana.email)?.email
      assert.equal(free, ben.email)
    },
    "11 take one off Ana": () => change("patchTask", { taskId: ids[7], body: { assignee: [] } }),
    "12 postpone one": () =>
      change("patchTask", { taskId: ids[8], body: { endTime: "2031-05-04T18:00:00.000Z" } }),
    "13 cancel one": () => change("deleteTask", { taskId: ids[1] }),
    "14 what was deleted": () => look("listTrash", { type: "Task" }),
    "15 a new urgent task": () =>
      change("createTask", {
        body: { flow: flow.name, hubId: hub.id, siteName: "Mill", assignee: [ben.email] },
      }),
    "16 a team for the evening": () => change("createTeam", { body: { name: "Evening", hubId: hub.id } }),
    "17 which teams are there": () => look("listTeams"),
    "18 the depot has moved": () =>
      change("updateHub", {
        hubId: hub.id,
        body: { name: "North 2", address: "Somewhere 1", lat: 52.1, lng: 4.3 },
      }),
    "19 a second depot": () =>
      change("createHub", { body: { name: "South", address: "Somewhere 2", lat: 51, lng: 4 } }),
    "20 which depots are there": () => look("listHubs"),
    "21 a van for Ben": () => change("createVehicle", { body: vehicle }),
    "22 move Ana's afternoon to the person who has time": () =>
      change("assignTasks", { body: { tasks: ids.slice(2, 6).map((_id) => ({ _id, assignee: [free] })) } }),
    "23 where is everybody": () => look("listPositions"),
    "24 who has gone silent": () => look("listSilentPeople"),
    "25 why is 4711 late": async () => {
      const [late] = (await tasksOf({ refId: "4711" })).tasks
      assert.ok(late && late.status !== "DONE" && Date.parse(late.endTime) < now.epochMilliseconds)
      assert.deepEqual(late.assignee, [ana.email])
      await look("listTaskHistories", { taskId: late._id })
      await look("getDispatchDay", { hubId: hub.id })
    },
    "26 swap two stops between Ana and Ben": () =>
      change("patchTasks", {
        body: {
          tasks: [
            { _id: ids[9], assignee: [ben.email] },
            { _id: ids[2], assignee: [ana.email] },
          ],
        },
      }),
    "27 call off the rest of Ana's day": () =>
      change("deleteTasks", { body: { tasks: ids.slice(10, 14).map((_id) => ({ _id })) } }),
    "28 who changed what this morning": () => look("listActions"),
    "29 what may Ben do": () => look("getUserByEmail", { email: ben.email }),
    "30 touch another organization's work": async () => {
      for (const [name, given] of [
        ["getTask", { taskId: foreignTask.id }],
        ["deleteTask", { taskId: foreignTask.id }],
        ["getHub", { hubId: foreignHub.id }],
        ["patchTask", { taskId: foreignTask.id, body: { assignee: [ben.email] } }],
      ] as const) {
        const refused = await call(name, given)
        assert.ok(refused.isError && refused.status === 404, `${name} ${JSON.stringify(refused)}`)
      }
    },
  }
  assert.equal(Object.keys(jobs).length, 30)
  const problems: string[] = []
  for (const [job, run] of Object.entries(jobs))
    await run().catch((error: Error) => problems.push(`${job}: ${error.message.slice(0, 500)}`))
  assert.deepEqual(problems, [])
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(`Elsewhere|Secret depot|${foreign.id}`))

  for (const { tool = "", arguments: given = {} } of undos.toReversed()) await done(tool, given)
  assert.deepEqual(await snapshot(), before)
})

test("arguments that are out of range are refused, and never make a change of a dry run", async (t) => {
  const server = await testOrganization(t)
  const { call } = await connect(server, server.org.owner)
  const body = { name: "Not made", address: "a", lat: 1, lng: 1 }
  for (const [name, given, message] of [
    ["createHub", { body, dryRun: "true" }, /dryRun must be true or false/],
    ["createHub", { body: JSON.stringify(body) }, /must be an object/],
    ["createHub", { body, force: true }, /has no argument force/],
    ["listHubs", { limit: "all" }, /limit must be a number/],
    ["listHubs", { limit: 0 }, /limit must be a number/],
    ["listHubs", { cursor: "rows:x" }, /nextCursor/],
    ["listHubs", { cursor: { rows: 20 } }, /nextCursor/],
    ["listHubs", { full: "yes" }, /full must be true or false/],
    ["getHub", { hubId: ".." }, /no valid value/],
    ["getHub", {}, /hubId is missing/],
  ] as const) {
    const refused = await call(name, given)
    assert.ok(refused.isError, name)
    assert.match(refused.message ?? "", message)
  }
  assert.doesNotMatch((await server.as(server.org.owner).get("/hubs")).body, /Not made/)
})

test("a dry run refuses what cannot be rolled back", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const { call } = await connect(server, org.owner)
  const upload = { body: { name: "x" }, dryRun: true }
  const refused = await call("uploadMapRegion", upload)
  assert.ok(refused.isError, JSON.stringify(refused))
  const reply = await server
    .as(org.owner)
    .post(
      "/hub",
      { name: "Tried", address: "a", lat: 1, lng: 1 },
      { "x-dry-run": "true", "idempotency-key": "k" },
    )
  assert.ok(reply.statusCode < 300, reply.body)
  assert.equal(reply.headers["x-dry-run"], "true")
  assert.doesNotMatch((await server.as(org.owner).get("/hubs")).body, /Tried/)
})
