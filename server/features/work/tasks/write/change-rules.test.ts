import assert from "node:assert/strict"
import { test } from "node:test"
import { systemCaller } from "#core/access/system-caller.ts"
import { AppError } from "#core/errors.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { taskETag } from "../wire.ts"
import { checkMatch, checkRight, checkState } from "./change-rules.ts"
import type { TaskPatch } from "./task-body.ts"

const me = "me@couriers.example"
const start = Temporal.Instant.from("2031-05-04T08:00:00.400Z")
const plain = {
  id: newId<"task">(),
  hubId: newId<"hub">(),
  status: "ONGOING" as TaskStatus,
  taskType: "default",
  assignee: [me, "mate@couriers.example"],
  startTime: start,
  endTime: start.add({ hours: 2 }),
  updatedTime: start,
  refId: "order-1",
  orderIndex: 3,
  values: {},
  attributes: {} as Record<string, unknown>,
}
const aTask = (more: Partial<typeof plain> = {}) => ({ ...plain, ...more })
const aCaller = (permissions: readonly Permission[]) => ({
  ...systemCaller(newId<"organization">(), { email: me, name: "Me" }),
  permissions: new Set(permissions),
})

/** The code of a refusal; undefined when the change is allowed. */
function refusalOf(check: () => void): number | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.http
  }
}

/** As clients may write an id. */
const upperCase = (id: Id<"hub">) => id.toUpperCase() as Id<"hub">

/** Patches, and what each of them is. */
const patches: [TaskPatch, ...("plans" | "assigns" | "moves" | "orders" | "works")[]][] = [
  [{}],
  [{ siteName: "Quay" } as TaskPatch, "works"],
  [{ orderIndex: 4 }, "orders"],
  [{ orderIndex: 3 }],
  [{ orderIndex: 4, status: "DONE" } as TaskPatch, "orders", "works"],
  [{ startTime: "2031-05-04 08:00:00" }, "works"],
  [{ startTime: "2031-05-04 08:00:00.600" }, "works"],
  [{ startTime: "2031-05-04 08:00:01" }, "plans", "works"],
  [{ endTime: "2031-05-04 10:00:00" }, "works"],
  [{ endTime: "2031-05-04 09:59:59" }, "plans", "works"],
  [{ refId: "order-1" }, "works"],
  [{ refId: "order-2" }, "plans", "works"],
  [{ hubId: upperCase(plain.hubId) }, "works"],
  [{ hubId: newId() }, "moves", "works"],
  [{ assignee: ["MATE@couriers.example", me] }, "works"],
  [{ assignee: [me] }, "assigns", "works"],
  [{ assignee: [me, "other@couriers.example"] }, "assigns", "works"],
  [{ assignee: [] }, "assigns", "works"],
]
const rights = ["edit/task", "assign/task", "move/task", "do/task", "task/reorder"] as const

test("who may change what of a task: every set of permissions, own tasks and those of others, every kind of change", () => {
  for (let set = 0; set < 2 ** rights.length; set += 1) {
    const granted = rights.filter((_, bit) => set & (1 << bit))
    const has = (right: (typeof rights)[number]) => granted.includes(right)
    for (const task of [
      aTask(),
      aTask({ status: "UNASSIGNED" }),
      aTask({ assignee: ["you@couriers.example", "mate@couriers.example"] }),
    ])
      for (const [patch, ...kinds] of patches) {
        const isOwn = task.assignee.includes(me) && task.status !== "UNASSIGNED"
        // The second list of people is other people where the task is not one's own.
        const sent = patch.assignee
        const assigns =
          sent !== undefined &&
          sent
            .map((one) => one.toLowerCase())
            .sort()
            .join() !== [...task.assignee].sort().join()
        const moves = kinds.includes("moves")
        const needed = [
          ...(kinds.includes("works") ? (["do/task"] as const) : []),
          ...(kinds.includes("orders") ? (["task/reorder"] as const) : []),
        ]
        const worksOnOwn =
          isOwn &&
          !(kinds.includes("plans") || assigns || moves) &&
          (needed.length > 0 ? needed.every(has) : has("do/task") || has("task/reorder"))
        const isAllowed =
          (has("edit/task") || worksOnOwn) && (!assigns || has("assign/task")) && (!moves || has("move/task"))
        assert.equal(
          refusalOf(() => checkRight(aCaller(granted), task, patch)),
          isAllowed ? undefined : 403,
          JSON.stringify([granted, task.status, task.assignee, patch]),
        )
      }
  }
})

test("a finished task takes only the time at which its worker left, once", () => {
  const left = { leftTime: "2031-05-04 09:00:00" } as TaskPatch
  const done = aTask({ status: "DONE" })
  assert.equal(
    refusalOf(() => checkState(aTask(), undefined, {})),
    undefined,
  )
  assert.equal(
    refusalOf(() => checkState(done, undefined, left)),
    undefined,
  )
  assert.equal(
    refusalOf(() => checkState(done, undefined, { ...left, _id: plain.id } as TaskPatch)),
    undefined,
  )
  assert.equal(
    refusalOf(() => checkState(done, undefined, {})),
    400,
  )
  assert.equal(
    refusalOf(() => checkState(done, undefined, { note: "late" } as TaskPatch)),
    400,
  )
  assert.equal(
    refusalOf(() => checkState(done, undefined, { ...left, note: "late" } as TaskPatch)),
    400,
  )
  const gone = aTask({ status: "DONE", attributes: { leftTime: "2031-05-04 09:00:00" } })
  assert.equal(
    refusalOf(() => checkState(gone, undefined, left)),
    400,
  )
  assert.equal(
    refusalOf(() => checkState(aTask({ taskType: "activityMaster" }), undefined, {})),
    400,
  )
})

test("a change of an older copy is refused, and one of any copy is not", () => {
  const task = aTask()
  const older = `"${plain.id}-0"`
  for (const fine of [
    undefined,
    "*",
    " * ",
    taskETag(task),
    `W/${taskETag(task)}`,
    `${older}, ${taskETag(task)}`,
  ])
    assert.equal(
      refusalOf(() => checkMatch(task, fine)),
      undefined,
      String(fine),
    )
  for (const late of [older, `W/${older}`, "", `${older},${older}`])
    assert.equal(
      refusalOf(() => checkMatch(task, late)),
      412,
      late,
    )
  assert.equal(
    refusalOf(() => checkState(task, older, {})),
    412,
  )
})
