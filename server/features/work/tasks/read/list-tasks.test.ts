import assert from "node:assert/strict"
import { test } from "node:test"
import type { Id } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, aTask, aTeam, aUser, type Person } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"

const pages = [
  { id: "page0", components: [{ id: "goods", component: "list", type: "quantity" }] },
  {
    id: "page1",
    components: [
      { id: "proof", component: "photo", min: 1 },
      { id: "extra", component: "photo" },
    ],
  },
]

test("people see tasks by hub, then by 'only me', then by team, with totals of just those", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [red, blue] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const user = (teams: { id: Id<"team"> }[], only = false) =>
    aUser(sql, {
      org,
      hubs: [hub],
      teams,
      permissions: only ? ["view/task", "view/task/only-me"] : ["view/task"],
    })
  const [inRed, alsoRed, inBlue, teamless] = [
    await user([red]),
    await user([red]),
    await user([blue]),
    await user([]),
  ]
  const onlyMe = await user([], true)
  const flow = await aFlow(sql, { org })
  const make = (assignee: Person[], at = hub) => aTask(sql, { org, hub: at, flow, assignee })
  for (const people of [[], [alsoRed], [inBlue], [teamless], [inBlue, inRed], [onlyMe, inBlue]])
    await make(people)
  await make([], other)
  const totals = async (person: Person, query = "") => {
    const { tasks, metadata } = (await as(person).get(`/tasks${query}`)).json()
    assert.equal(tasks.data.length, tasks.total)
    return [tasks.total, metadata.counting.ongoingTotal]
  }
  assert.deepEqual(await totals(org.owner), [7, 5])
  assert.deepEqual(await totals(teamless), [6, 5])
  assert.deepEqual(
    await totals(inRed),
    [5, 4],
    "unassigned tasks, those of team mates and of people without a team, and an own shared one",
  )
  assert.deepEqual(await totals(onlyMe), [1, 1])
  assert.deepEqual(await totals(org.owner, `?assignee=${inBlue.email}`), [3, 3])
  assert.deepEqual(
    await totals(org.owner, `?assignee=${inBlue.email},${teamless.email}&sortBy=startTime`),
    [4, 4],
  )
  assert.deepEqual(await totals(onlyMe, `?assignee=${inBlue.email}`), [1, 1])
  assert.deepEqual(await totals(teamless, `?hubId=${other.id}`), [0, 0])
})

test("each filter of the list keeps exactly its tasks, alone and with others", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [north, south] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [reading, repair] = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const worker = await aUser(sql, { org, hubs: [north, south] })
  const other = await aUser(sql, { org, hubs: [north, south] })
  const now = Temporal.Now.instant()
  const hours = (count: number) => now.add({ hours: count })
  const past = { startTime: hours(-48), endTime: hours(-24), createdTime: hours(-72) }
  const future = { startTime: hours(24), endTime: hours(48) }
  const ids = new Map<string, string>()
  const make = async (name: string, options: Partial<Parameters<typeof aTask>[1]>) =>
    ids.set(name, (await aTask(sql, { org, hub: north, flow: reading, title: name, ...options })).id)
  await make("open", {})
  await make("late", past)
  await make("soon", { ...future, hub: south })
  await make("worked", { assignee: [worker], flow: repair })
  await make("shared", { assignee: [worker, other] })
  await make("finished", { ...past, assignee: [worker], status: "DONE", doneTime: hours(-30) })
  await make("planned", { title: "Pump 7, 50%_off ÅÉ 東京駅" })
  const [result, parent] = ["a".repeat(24), "b".repeat(24)]
  await sql`update tasks set routing_result_id = ${result} where id = ${ids.get("planned") ?? ""}`
  await sql`update tasks set parent_id = ${parent}, task_type = 'taskChild' where id = ${ids.get("shared") ?? ""}`
  const at = (instant: Temporal.Instant) => instant.toString().slice(0, 19).replace("T", " ")
  const cases: [query: string, expected: string[]][] = [
    ["", ["open", "late", "soon", "worked", "shared", "finished", "planned"]],
    [`flow=${repair.name}`, ["worked"]],
    [`flow=${repair.name},nowhere`, ["worked"]],
    [`flowId=${repair.id}`, ["worked"]],
    [`hubId=${south.id}`, ["soon"]],
    ["status=DONE", ["finished"]],
    ["status=ONGOING,DONE", ["worked", "shared", "finished"]],
    [`assignee=${other.email}`, ["shared"]],
    [`doneBy=${worker.email}`, ["finished"]],
    ["active=true", ["open", "late", "worked", "shared", "planned"]],
    ["isVisit=true", ["open", "soon", "worked", "shared", "planned"]],
    [`routingResultId=${result}`, ["planned"]],
    [`parentId=${parent}`, ["shared"]],
    ["taskType=taskChild", ["shared"]],
    ["q=pump", ["planned"]],
    ["q=%_OFF åé", ["planned"]],
    ["q=東京駅", ["planned"]],
    ["q=7p", []],
    ["q=p 7", ["planned"]],
    ["q=ed", ["worked", "shared", "finished"]],
    [`q=worked&assignee=${worker.email}&timeBy=createdTime&timeFrom=${at(hours(-1))}`, ["worked"]],
    [`q=hare&status=ONGOING&hubId=${north.id}`, ["shared"]],
    [`timeBy=startTime&timeFrom=${at(hours(12))}`, ["soon"]],
    [`timeBy=startTime&timeFrom=${at(hours(12))}+00:00`, ["soon"]],
    [`timeBy=startTime&timeTo=${at(hours(-12))}`, ["late", "finished"]],
    [`timeBy=createdTime&timeFrom=${at(hours(-80))}&timeTo=${at(hours(-60))}`, ["late", "finished"]],
    [`timeBy=doneTime&timeFrom=${at(hours(-31))}&timeTo=${at(hours(-29))}`, ["finished"]],
    [`timeFrom=${at(hours(12))}&status=DONE`, ["finished"]],
    [`hubId=${north.id}&status=UNASSIGNED&active=1&flowId=${reading.id}`, ["open", "late", "planned"]],
    [`assignee=${worker.email}&status=ONGOING&flow=${reading.name}`, ["shared"]],
  ]
  const nameOf = new Map([...ids].map(([name, id]) => [id, name]))
  for (const [query, expected] of cases) {
    const reply = await as(org.owner).get(`/tasks?limit=50&${encodeURI(query)}`)
    const { tasks } = reply.json()
    const names = tasks.data.map(({ _id }: { _id: string }) => nameOf.get(_id))
    assert.deepEqual(names.toSorted(), expected.toSorted(), query)
    assert.equal(tasks.total, expected.length, query)
  }
  for (const query of ["status=LATE", "limit=0", `cursor=${result}&lazyLoad=1`])
    assert.equal((await as(org.owner).get(`/tasks?${query}`)).statusCode, 400, query)
})

test("every order and page gives each task once, and cursor mode gives the same", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  for (let count = 0; count < 23; count += 1)
    await aTask(sql, {
      org,
      hub,
      flow,
      title: `Tee ${count % 5}`,
      ...(count % 3 === 0 ? { status: "DONE" as const } : {}),
    })
  const ids = (reply: { json(): { tasks: { data: { _id: string }[] } } }) =>
    reply.json().tasks.data.map((task) => task._id)
  for (const sort of [
    "createdTime",
    "updatedTime",
    "startTime",
    "endTime",
    "doneTime",
    "orderIndex",
    "title",
    "siteName",
  ]) {
    for (const query of [
      `sortBy=${sort}&sortOrder=asc`,
      `sortBy=${sort}`,
      `sortBy=${sort}&status=UNASSIGNED`,
      ...(sort === "title"
        ? [`sortBy=${sort}&timeBy=createdTime&timeFrom=2020-01-01`, "sortBy=title&q=TEE"]
        : []),
    ]) {
      const whole = ids(await as(org.owner).get(`/tasks?${query}&limit=100&fields=_id`))
      assert.equal(new Set(whole).size, query.includes("status") ? 15 : 23)
      const paged: string[] = []
      for (let page = 1; page <= 6; page += 1)
        paged.push(...ids(await as(org.owner).get(`/tasks?${query}&limit=4&page=${page}`)))
      assert.deepEqual(paged, whole, query)
      if (sort === "title" || sort === "siteName") continue
      let path = `/tasks?${query}&limit=7&lazyLoad=1`
      const seen: string[] = []
      for (;;) {
        const reply = await as(org.owner).get(path)
        seen.push(...ids(reply))
        const next: string | null = reply.json().tasks.next_page_url
        if (!next) break
        path = next.slice(next.indexOf("/tasks"))
      }
      assert.deepEqual(seen, whole, `${query} by cursor`)
    }
  }
  const first = (await as(org.owner).get("/tasks?cursor=&flow=A%20b,c&lazyLoad=1&limit=3")).json().tasks
  assert.equal(first.next_page_url, null)
  const open = (await as(org.owner).get("/tasks?status=DONE,UNASSIGNED&lazyLoad=1&limit=3")).json().tasks
  assert.match(open.next_page_url, /\?status=DONE%2CUNASSIGNED&lazyLoad=1&limit=3&cursor=[\w-]+$/)
  assert.equal(open.links.at(-1).url, open.next_page_url)
  assert.equal((await as(org.owner).get("/tasks?lazyLoad=1&cursor=zz")).statusCode, 400)
  assert.equal((await as(org.owner).get("/tasks?lazyLoad=1&sortBy=title")).statusCode, 200)
  assert.equal((await as(org.owner).get("/tasks?status=OPEN")).statusCode, 400)
})

test("the gallery shows finished tasks with a required photo", async (t) => {
  const { sql, as, app, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages })
  const url = app.links.plain(`${org.id}/2031/05/04/1_a.jpg`)
  const ids: string[] = []
  for (const photos of [{ proof_0_url: url }, { proof_0_url: url, extra_0_url: url }, {}]) {
    const made = (
      await as(org.owner).post("/task", { flow: flow.name, hubId: hub.id, assignee: org.owner.email })
    ).json().task
    ids.push(made._id)
    await as(org.owner).patch(`/task/${made._id}`, {
      ...photos,
      status: "proof_0_url" in photos ? "DONE" : "ONGOING",
    })
  }
  await sql`update tasks set status = 'DONE', has_photos = true, "values" = ${sql.json({ extra_0_url: url })} where id = ${ids[2] ?? ""}`
  const { tasks } = (await as(org.owner).get("/tasks-gallery?limit=1")).json()
  assert.deepEqual([tasks.data.length, tasks.buffer.length, tasks.last_page], [1, 1, false])
  const all = (await as(org.owner).get("/tasks-gallery")).json().tasks
  assert.deepEqual(all.data.map((task: { _id: string }) => task._id).sort(), ids.slice(0, 2).sort())
  assert.equal(all.data[0].proof_0_url, url)
  assert.equal(all.last_page, true)
})

test("the public view of a task shows its goods and nothing that identifies, until it expires", async (t) => {
  const { sql, as, nobody, clock, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages })
  const made = (
    await as(org.owner).post("/task", {
      flow: flow.name,
      hubId: hub.id,
      assignee: org.owner.email,
      goods: [
        { title: "Crate", qty: 2, note: "for us" },
        { title: "Box", data: { dataId: "B", hubId: hub.id } },
      ],
    })
  ).json().task
  const reply = await nobody.expect(200).get(`/task/public/${made._id}`)
  const { task, taskComponentDetail, location } = reply.json().data
  const { data, ...crate } = task.goods[0]
  assert.deepEqual(crate, { title: "Crate", content: null, qty: 2, unitPrice: null, qtyProcessed: null })
  assert.equal(Object.keys(data).length, 9)
  assert.ok(Object.values(data).every((value) => value === null))
  assert.equal(task.goods[1].data.dataId, "B")
  assert.deepEqual(taskComponentDetail, [{ id: "goods", type: "quantity", component: "list" }])
  assert.deepEqual(location, [])
  for (const secret of [org.id, hub.id, org.owner.email]) assert.equal(reply.body.includes(secret), false)
  assert.equal((await nobody.get(`/task/public/${"f".repeat(24)}`)).statusCode, 404)
  clock.move({ hours: 25 })
  const late = await nobody.get(`/task/public/${made._id}`)
  clock.move({ hours: -25 })
  assert.deepEqual([late.statusCode, late.json().failedCode], [401, "task-037"])
})

test("a photo is judged by its bytes, and stored under a harmless name", async (t) => {
  const { as, org } = await testOrganization(t)
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(57)
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes)
    bytes.writeUInt32BE(13, 8)
    bytes.write("IHDR", 12)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.writeUInt32BE(0, 33)
    bytes.write("IEND", 37)
    return bytes
  }
  const upload = (content: Buffer | string, name = "..%2F..%2Fetc%2Fpasswd") =>
    as(org.owner).upload(`/task/photo/${name}`, {
      photo: { filename: "../x.jpg", content, contentType: "image/jpeg" },
    })
  const stored = await upload(png(40, 30))
  assert.equal(stored.statusCode, 200, stored.body)
  const { url } = stored.json()
  assert.match(url, new RegExp(`/${org.id}/\\d{4}/\\d\\d/\\d\\d/\\d+_[A-Za-z0-9._-]+\\.png$`))
  assert.notEqual((await upload(png(40, 30))).json().url, undefined)
  const viewed = await as(org.owner).get(`/file/view?url=${encodeURIComponent(url)}`)
  assert.equal(viewed.headers["content-type"], "image/png")
  for (const wrong of [
    "<script>alert(1)</script>",
    png(20_000, 20_000),
    png(0, 5),
    Buffer.from([0xff, 0xd8, 0xff]),
  ]) {
    const reply = await upload(wrong)
    assert.deepEqual([reply.statusCode, reply.json().failedCode], [400, "task-032"])
  }
  assert.equal((await upload(Buffer.alloc(10 * 1024 ** 2 + 1))).statusCode, 413)
})

test("a bulk in the background is accepted at once and made once, however often its job runs", async (t) => {
  const { sql, as, jobContext } = await testApp(t)
  const { createInBackground } = await import("../write/background.ts")
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const tasks = [
    { flow: flow.name, hubId: hub.id, siteName: "A" },
    { flow: flow.name, hubId: hub.id },
  ]
  const reply = await as(org.owner).expect(201).post("/tasks/bulk", { background: true, tasks })
  assert.equal(reply.json().status, true)
  const payload = {
    organizationId: org.id as string,
    userId: org.owner.id as string,
    receiptId: "a".repeat(24),
    tasks,
  }
  await createInBackground.handle(jobContext(), payload)
  await createInBackground.handle(jobContext(), payload)
  assert.equal((await as(org.owner).get("/tasks")).json().tasks.total, 1)
})

test("a task whose value was cleared is ordered like one that never had it", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  for (const values of [{ boxes: 4 }, { boxes: null }, {}, { boxes: 2 }])
    await aTask(sql, { org, hub, flow, values })
  const boxes = async (order: string) =>
    (await as(org.owner).get(`/tasks?sortBy=boxes&sortOrder=${order}`))
      .json()
      .tasks.data.map((task: { boxes?: number | null }) => task.boxes ?? null)
  assert.deepEqual(await boxes("asc"), [2, 4, null, null])
  assert.deepEqual(await boxes("desc"), [null, null, 4, 2])
})

test("a hub's data version is when its tasks last changed", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const task = await aTask(sql, { org, hub, flow })
  await sql`update tasks set updated_time = now() - interval '1 day' where id = ${task.id}`
  const version = async () =>
    Number((await as(org.owner).get(`/data-version?key=tasks_${hub.id}`)).json().data)
  const before = await version()
  assert.ok(Math.abs(Date.now() / 1000 - 86_400 - before) < 60)
  await as(org.owner).delete(`/task/${task.id}`)
  assert.ok((await version()) > before + 80_000)
  assert.equal((await as(org.owner).get(`/data-version?key=nothing_${hub.id}`)).json().failedCode, "dver-033")
})
