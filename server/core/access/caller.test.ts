import assert from "node:assert/strict"
import { test } from "node:test"
import { newId } from "../ids.ts"
import type { Permission } from "../permissions.ts"
import {
  actsAsOwner,
  type CallerRow,
  hasEverythingButSwitches,
  hasHub,
  may,
  narrowedCaller,
  toCaller,
} from "./caller.ts"
import { systemCaller } from "./system-caller.ts"

const hubId = newId<"hub">()
const rowOf = (more: Partial<CallerRow>): CallerRow => {
  const {
    permissions: _,
    hubs: _hubs,
    isOwner: _isOwner,
    isDefaultRole: _isDefault,
    ...rest
  } = systemCaller(newId<"organization">(), { email: "planner@couriers.example", name: "Planner" })
  return {
    ...{
      ...rest,
      permissionDetails: [],
      teamIds: [],
      tokenScopes: null,
      roleName: "planner",
      isDefault: false,
    },
    permissionNames: ["view/task", "edit/task", "view/task/only-me"],
    hubIds: [hubId],
    ...more,
  }
}

const named = (permissions: ReadonlySet<Permission>) => [...permissions].toSorted()

test("a member has what the role grants, and the hubs that were given", () => {
  const caller = toCaller(rowOf({}))
  assert.deepEqual(named(caller.permissions), ["edit/task", "view/task", "view/task/only-me"])
  assert.ok(may(caller, "edit/task"))
  assert.ok(!may(caller, "delete/task"))
  assert.ok(hasHub(caller, hubId))
  assert.ok(!hasHub(caller, newId<"hub">()))
  assert.deepEqual(
    [caller.isOwner, actsAsOwner(caller), hasEverythingButSwitches(caller)],
    [false, false, false],
  )
})

test("only the default roles are owners and administrators, whatever others are called", () => {
  const rights = (more: Partial<CallerRow>) => {
    const caller = toCaller(rowOf({ permissionNames: [], ...more }))
    return [
      caller.isOwner,
      actsAsOwner(caller),
      hasEverythingButSwitches(caller),
      may(caller, "delete/task"),
      hasHub(caller, "x"),
    ]
  }
  assert.deepEqual(rights({ roleName: "owner", isDefault: true }), [true, true, true, true, true])
  assert.deepEqual(rights({ roleName: "admin", isDefault: true }), [false, false, true, true, false])
  assert.deepEqual(rights({ roleName: "planner", isDefault: true }), [false, false, false, false, false])
  assert.deepEqual(rights({ roleName: "owner", isDefault: false }), [false, false, false, false, false])
  assert.deepEqual(rights({ roleName: "owner", isDefault: true, tokenScopes: [] }), [
    true,
    false,
    false,
    false,
    true,
  ])
  assert.deepEqual(rights({ roleName: "admin", isDefault: true, tokenScopes: ["delete/task"] }), [
    ...[false, false, false],
    ...[true, false],
  ])
})

test("a scoped token has what both it and its owner have, and never sees more of others", () => {
  const scoped = toCaller(rowOf({ tokenScopes: ["view/task", "delete/task"] }))
  assert.deepEqual(named(scoped.permissions), ["view/task", "view/task/only-me"])
  const narrower = narrowedCaller(toCaller(rowOf({})), ["edit/task"])
  assert.deepEqual(named(narrower.permissions), ["edit/task", "view/task/only-me"])
  assert.deepEqual(narrower.tokenScopes, ["edit/task"])
  assert.deepEqual(named(narrowedCaller(narrower, ["view/task"]).permissions), ["view/task/only-me"])
})
