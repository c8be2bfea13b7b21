import assert from "node:assert/strict"
import { test } from "node:test"
import { meets, parseFilter } from "./filter.ts"
import { applyPatch } from "./patch.ts"

const person = () => ({
  id: "1",
  userName: "ana@company.test",
  active: true,
  name: { formatted: "Ana Torres", givenName: "Ana", familyName: "Torres" },
  phoneNumbers: [{ value: "1", type: "work", primary: true }],
  roles: [{ value: "field", primary: true }],
  members: [{ value: "a" }, { value: "b" }, { value: "c" }],
})
const patch = (...Operations: unknown[]) => applyPatch(person(), { Operations })
const valuesOf = (list: unknown) => (list as { value: string }[] | undefined)?.map(({ value }) => value)

test("a directory removes only the members that it names, in every form that directories send", () => {
  const left = (operation: object) => valuesOf(patch(operation).members)
  assert.deepEqual(left({ op: "Remove", path: "members", value: [{ $ref: null, value: "B" }] }), ["a", "c"])
  assert.deepEqual(left({ op: "Remove", path: "members", value: { value: "b" } }), ["a", "c"])
  assert.deepEqual(left({ op: "remove", path: "members", value: "b" }), ["a", "c"])
  assert.deepEqual(left({ op: "remove", path: 'members[value eq "b"]' }), ["a", "c"])
  assert.deepEqual(left({ op: "remove", path: 'MEMBERS[VALUE EQ "b" or value eq "c"]' }), ["a"])
  assert.deepEqual(left({ Op: "add", Path: "members", Value: [{ Value: "A" }, { value: "d" }] })?.length, 4)
  assert.deepEqual(left({ op: "replace", path: "members", value: { value: "z" } }), ["z"])
  assert.deepEqual(left({ op: "replace", path: "members", value: null }), [])
  assert.equal(left({ op: "remove", path: "members" }), undefined)
})

test("parts of a person change without the others", () => {
  const named = { formatted: "Ana Torres", givenName: "Ana", familyName: "Silva" }
  assert.deepEqual(patch({ op: "replace", value: { name: { familyName: "Silva" } } }).name, named)
  assert.deepEqual(patch({ op: "replace", path: "NAME", value: { FamilyName: "Silva" } }).name, named)
  assert.deepEqual(patch({ op: "Add", value: { "name.familyName": "Silva" } }).name, named)
  const mobile = { op: "add", path: 'phoneNumbers[type eq "mobile" and primary eq false].value', value: "2" }
  assert.deepEqual(patch(mobile).phoneNumbers, [
    { value: "1", type: "work", primary: true },
    { type: "mobile", primary: false, value: "2" },
  ])
  assert.deepEqual(
    patch({ op: "add", path: "phoneNumbers", value: [{ value: "2", primary: true }] }).phoneNumbers,
    [
      { value: "1", type: "work", primary: false },
      { value: "2", primary: true },
    ],
  )
  assert.deepEqual(
    valuesOf(patch({ op: "add", path: "roles", value: [{ value: "planner" }] }).roles),
    ["planner", "field"],
    "a person has one role: the one that was added last comes first",
  )
  assert.throws(() => patch({ op: "replace", path: "id", value: "2" }), { scimType: "mutability" })
  assert.equal(patch({ op: "replace", value: { id: "1", active: false } }).active, false)
  const wrapped = [{ $ref: null, value: "False" }]
  assert.equal(patch({ op: "Replace", path: "active", value: wrapped }).active, "False")
})

test("filters compare moments as moments, and parts of elements behind a filter", () => {
  const resource = {
    emails: [
      { type: "work", value: "ana@company.test" },
      { type: "home", value: "ana@home.test" },
    ],
    meta: { created: "2031-05-04T10:00:00.000Z" },
  }
  const holds = (filter: string) => meets(resource, parseFilter(filter))
  assert.ok(holds('EMAILS[Type EQ "work"].value eq "ana@company.test"'))
  assert.ok(!holds('emails[type eq "work"].value eq "ana@home.test"'))
  assert.ok(holds('meta.created eq "2031-05-04T12:00:00+02:00"'))
  assert.ok(holds('meta.created gt "2031-05-04T11:00:00+02:00"'))
  assert.throws(() => holds('emails[type eq "work"].'), { scimType: "invalidFilter" })
})
