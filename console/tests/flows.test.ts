import assert from "node:assert/strict"
import { test } from "node:test"
import {
  dataSourcesOf,
  sourceChosenBy,
  targetsOf,
  valuesOfRecord,
} from "../src/features/work/flows/builder/data-sources.ts"
import { draftOf, nameNewComponents } from "../src/features/work/flows/builder/flow-draft.ts"
import { compareFlows } from "../src/features/work/flows/compare-flows.ts"
import { shownComponents } from "../src/features/work/flows/fields/shown-components.ts"
import { isRunning, stopTimers } from "../src/features/work/flows/fields/stopwatch.ts"
import { taskValue } from "../src/features/work/flows/fields/task-value.ts"

/** What the console works out about flows and their values without a page. */
const result = {
  id: "result",
  component: "select",
  options: ["Delivered", "Not delivered", "Late"],
  onSelect: [
    { options: ["Not delivered"], action: "fill", componentAffected: ["reason"] },
    { options: ["Not delivered"], action: "hide", componentAffected: ["receiver"] },
    { options: ["Late"], action: "show", componentAffected: ["receiver"] },
  ],
}
const reason = { id: "reason", component: "input", visible: false, required: true }
const receiver = { id: "receiver", component: "input", title: "Receiver" }
const all = [result, reason, receiver]

test("a choice shows and hides fields, and makes some of them only to be read", () => {
  const shown = (choice?: string) =>
    shownComponents(all, all, (id) => (id === "result" ? choice : undefined)).map(({ id, readOnly }) =>
      readOnly ? `${id}, read only` : id,
    )
  assert.deepEqual(shown(), ["result", "receiver"])
  assert.deepEqual(shown("Not delivered"), ["result", "reason"])
  assert.deepEqual(shown("Late"), ["result", "receiver, read only"])
})

test("two versions of a flow are compared field by field", () => {
  const page = (components: object[], title = "Visit") => ({ id: "page0", title, components }) as never
  const before = { name: "Visit", pages: [page([result, reason, receiver])] }
  const after = {
    name: "Call",
    pages: [
      page([result, { ...receiver, title: "Received by" }, { id: "photo", component: "photo" }], "Call"),
    ],
  }
  assert.deepEqual(compareFlows(before, before), [])
  assert.deepEqual(compareFlows(before, after), [
    { kind: "renamed", before: "Visit", after: "Call" },
    { kind: "pageRenamed", before: "Visit", after: "Call" },
    { kind: "changed", title: "Received by", keys: ["title"] },
    { kind: "added", title: "photo" },
    { kind: "removed", title: "reason" },
  ])
  const swapped = { name: "Visit", pages: [page([receiver, reason, result])] }
  assert.deepEqual(
    compareFlows(before, swapped).map(({ kind }) => kind),
    ["moved", "moved"],
  )
})

test("new fields are called by their titles when they are saved, known ones keep their ids", () => {
  const field = (id: string, title: string) => ({ id, component: "input", title })
  const draft = { ...draftOf(undefined), name: "Reading" }
  const pages = [
    {
      id: "page0",
      title: "",
      components: [field("input", "Old"), field("input2", "Meter number"), field("input3", "Meter number")],
    },
  ]
  const named = nameNewComponents({ ...draft, pages }, new Set(["input"]))
  assert.deepEqual(
    named.pages[0]?.components.map(({ id }) => id),
    ["input", "meterNumber", "meterNumber2"],
  )
})

test("a field that rules, sub-flows or data speak of keeps its id", () => {
  const field = (id: string, extra: object = {}) => ({
    id,
    component: "input",
    title: "Called else",
    ...extra,
  })
  const pages = [
    {
      id: "page0",
      title: "",
      components: [
        field("ruled"),
        field("read"),
        field("mapped"),
        field("free"),
        field("choice", {
          component: "select",
          onSelect: [{ options: ["A"], action: "hide", componentAffected: ["ruled"] }],
        }),
        field("other", { component: "view", subFlow: { flowId: "f", values: { x: "$refFlow.read" } } }),
      ],
    },
  ]
  const list = [{ typeId: "t", fields: [{ id: "dataId", componentId: "mapped", primaryKey: true }] }]
  const draft = { name: "Reading", pages, configurations: [{ id: "dataSource", list }] }
  const ids = nameNewComponents(draft, new Set(["choice", "other"])).pages[0]?.components.map(({ id }) => id)
  assert.deepEqual(ids, ["ruled", "read", "mapped", "calledElse", "choice", "other"])
})

test("a chosen record fills the fields that the flow maps, and adds an item to its lists", () => {
  const fields = [
    { id: "dataId", componentId: "customer", primaryKey: true },
    { id: "place", componentId: "spot" },
    { id: "product", componentId: "goods.itemName" },
    { id: "amount", componentId: "goods.itemQty" },
  ]
  const [source] = dataSourcesOf([
    { id: "endTime", adjustment: 3 },
    { id: "dataSource", list: [{ typeId: "t", fields }, { fields }, null] },
  ])
  assert.ok(source)
  assert.equal(sourceChosenBy([source], "customer"), source)
  assert.equal(sourceChosenBy([source], "spot"), undefined)
  const record = { _id: "r", dataId: "C1", dataTypeId: "t", place: "52.1,4.9", product: "Crate", amount: 4 }
  const values = valuesOfRecord(source, record, () => [{ title: "Box", qty: 1 }])
  assert.deepEqual(
    {
      ...values,
      goods: (values.goods as { title: string; qty: number }[]).map(({ title, qty }) => [title, qty]),
    },
    {
      customer: "C1",
      spot: "52.1,4.9",
      goods: [
        ["Box", 1],
        ["Crate", 4],
      ],
    },
  )
  const components = [
    { id: "spot", component: "input", type: "Geolocation" },
    { id: "count", component: "input", type: "Numeric" },
    { id: "goods", component: "list" },
  ]
  assert.deepEqual(
    targetsOf("number", components).map(({ componentId }) => componentId),
    ["count", "goods.itemQty"],
  )
})

test("a timer that runs is stopped when the task is finished, and photos are found one by one", () => {
  const running = { seconds: 30, since: 1_000 }
  assert.ok(isRunning(running))
  assert.deepEqual(stopTimers({ work: running, note: "a" }, 61_000), { work: 90, note: "a" })
  const task = { proof_10_url: "k", proof_2_url: "b", proof_0_url: "a", proof_1_url: null, other_0_url: "x" }
  assert.deepEqual(taskValue(task, { id: "proof", component: "photo" }), ["a", "b", "k"])
})
