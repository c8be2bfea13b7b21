import assert from "node:assert/strict"
import { test } from "node:test"
import type { Caller } from "#core/access/caller.ts"
import { systemCaller } from "#core/access/system-caller.ts"
import { json, type Pool } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, type Organization } from "#samples/builders.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { countTasks } from "./count-tasks.ts"
import { type TaskFilter, taskConditions } from "./list-query.ts"
import { summarizeTasks } from "./summarize-tasks.ts"

const people = ["ada@fieldway.test", "ben@fieldway.test", "cy@fieldway.test"] as const
const [ada, ben, cy] = people

interface Row {
  hubId: string
  flowId: string
  status: string
  assignee: string[]
  outcome: string | undefined
  title: string
  boxes: number | undefined
}

/** One task of each kind: in either hub, of either flow, open, done or failed, of nobody, one or two people. */
function rowsOf(hubs: readonly string[], flows: readonly string[]): Row[] {
  const teams = [[], [ada], [ben], [ben, ada], [cy, ben]]
  return hubs.flatMap((hubId) =>
    flows.flatMap((flowId) =>
      [undefined, "done", "failed"].flatMap((outcome) =>
        teams.map((assignee, index) => ({
          ...{ hubId, flowId, assignee },
          status: outcome ? "DONE" : assignee.length > 0 ? "ONGOING" : "UNASSIGNED",
          outcome: outcome === "failed" ? outcome : undefined,
          title: index % 2 === 0 ? "Pump station" : "Valve",
          boxes: index === 0 ? undefined : index / 10,
        })),
      ),
    ),
  )
}

async function addTasks(sql: Pool, org: Organization, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time,
      updated_time, created_by, created_from, order_index, "values", attributes)
    select ${org.id}, left(md5(random()::text), 24), "hubId", "flowId", 'Flow', status, title, assignee, now(), now(), now(), now(),
      ${org.owner.email}, 'API', 1, jsonb_strip_nulls(jsonb_build_object('boxes', boxes)), jsonb_strip_nulls(jsonb_build_object('outcome', outcome))
    from jsonb_to_recordset(${json(sql, rows)}) r ("hubId" text, "flowId" text, status text, assignee text[], outcome text, title text, boxes float8)`
}

test("totals and groups of tasks are those of a plain count, for each filter, caller and audience", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const [org, stranger] = [await anOrganization(sql), await anOrganization(sql)]
  const [north, south] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const [reading, repair] = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const rows = rowsOf([north.id, south.id], [reading.id, repair.id])
  await addTasks(sql, org, rows)
  const [foreignHub, foreignFlow] = [await aHub(sql, { org: stranger }), await aFlow(sql, { org: stranger })]
  const theirs = rowsOf([foreignHub.id], [foreignFlow.id])
  await addTasks(sql, stranger, theirs)
  // As the job that folds the changes of counts would leave them; further tasks change the same groups by as many.
  await sql`
    insert into task_counts (organization_id, hub_id, flow_id, flow, status, task_type, count)
    select organization_id, hub_id, flow_id, flow, status, task_type, sum(change) from task_count_changes group by 1, 2, 3, 4, 5, 6`
  await sql`delete from task_count_changes`
  await addTasks(sql, org, rows.slice(0, 30))
  rows.push(...rows.slice(0, 30))
  const filters: [TaskFilter, (row: Row) => boolean][] = [
    [{}, () => true],
    [{ status: "DONE" }, ({ status }) => status === "DONE"],
    [{ status: "ONGOING,UNASSIGNED" }, ({ status }) => status !== "DONE"],
    [{ hubId: north.id }, ({ hubId }) => hubId === north.id],
    [{ flowId: repair.id, status: "ONGOING" }, (row) => row.flowId === repair.id && row.status === "ONGOING"],
    [{ taskType: "taskChild" }, () => false],
    [{ outcome: "done" }, ({ status, outcome }) => status === "DONE" && !outcome],
    [
      { outcome: "Done ", hubId: south.id },
      (row) => row.status === "DONE" && !row.outcome && row.hubId === south.id,
    ],
    [{ outcome: "done", status: "ONGOING" }, () => false],
    [{ outcome: "failed" }, ({ outcome }) => outcome === "failed"],
    [{ outcome: "failed,done" }, ({ status }) => status === "DONE"],
    [{ q: "pump" }, ({ title }) => title === "Pump station"],
    [
      { q: "mp", outcome: "done" },
      (row) => row.title === "Pump station" && row.status === "DONE" && !row.outcome,
    ],
  ]
  const audiences = [
    undefined,
    { emails: [ada], withUnassigned: false },
    { emails: [ben, cy], withUnassigned: true },
    { emails: [], withUnassigned: true },
  ]
  const owner = systemCaller(org.id, { email: "", name: "" })
  for (const caller of [owner, { ...owner, hubs: [south.id] }, { ...owner, hubs: [] }] satisfies Caller[])
    for (const [filter, matches] of filters)
      for (const audience of audiences) {
        const expected = rows.filter(
          (row) =>
            matches(row) &&
            (caller.hubs === "all" || caller.hubs.some((hubId) => hubId === row.hubId)) &&
            (!audience ||
              (audience.withUnassigned && row.assignee.length === 0) ||
              row.assignee.some((email) => audience.emails.some((one) => one === email))),
        )
        const countOf = (wanted: string) => expected.filter(({ status }) => status === wanted).length
        const conditions = taskConditions(sql, caller, filter, Temporal.Now.instant())
        assert.deepEqual(
          await countTasks(sql, caller, conditions, audience),
          { total: expected.length, doneTotal: countOf("DONE"), ongoingTotal: countOf("ONGOING") },
          JSON.stringify({ filter, hubs: caller.hubs, audience }),
        )
      }
  // What no condition on rows narrows is read from the stored counts, whatever the number of tasks.
  await sql`update task_counts set count = count + 1000 where organization_id = ${org.id} and hub_id = ${south.id} and status = 'DONE'`
  const stored = async (filter: TaskFilter) =>
    (await countTasks(sql, owner, taskConditions(sql, owner, filter, Temporal.Now.instant()), undefined))
      .total
  assert.deepEqual(
    [
      await stored({ hubId: south.id }),
      await stored({ outcome: "done" }),
      await stored({ outcome: "failed" }),
    ],
    [2030, 2030, 30],
  )
  const now = Temporal.Now.instant()
  const summary = await summarizeTasks(
    sql,
    owner,
    { status: "DONE", hubId: north.id },
    {
      ...{ groupBy: "boxes", sums: ["boxes", "crates"], now },
    },
  )
  const filterOf = (value: string) => ({ field: "boxes.group", operator: "equals", value })
  assert.deepEqual(summary, {
    total: 40,
    sums: { boxes: 8, crates: null },
    moreGroups: 0,
    groups: [
      ...["0.1", "0.2", "0.3", "0.4"].map((value) => ({
        ...{ value, count: 8, sums: { boxes: Number(value) * 8, crates: null } },
        filter: filterOf(value),
      })),
      {
        ...{ value: null, count: 8, sums: { boxes: null, crates: null } },
        filter: { field: "boxes.group", operator: "empty" },
      },
    ],
  })
  assert.deepEqual(await summarizeTasks(sql, owner, { q: "pump" }, { groupBy: undefined, sums: [], now }), {
    total: 54,
    sums: {},
    groups: [],
    moreGroups: 0,
  })
  const many = Array.from({ length: 503 }, (_, index) => ({ ...(theirs[0] as Row), title: `N ${index}` }))
  await addTasks(sql, stranger, many)
  const strangerCaller = systemCaller(stranger.id, { email: "", name: "" })
  const wide = await summarizeTasks(sql, strangerCaller, {}, { groupBy: "title", sums: [], now })
  assert.deepEqual([wide.total, wide.groups.length, wide.moreGroups], [518, 500, 5])
})
