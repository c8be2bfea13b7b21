import assert from "node:assert/strict"
import { test } from "node:test"
import { outcomeRules } from "#shared/task-outcomes.ts"
import { fieldsOfFile, flowOfFields, titleOf } from "../src/features/files/imports/flow-from-file.ts"

test("the columns of a file become fields of a flow, except those that every task has", () => {
  const headers = [
    "Order no.",
    "Customer",
    "Phone",
    "Street",
    "Lat",
    "Lng",
    "Code",
    "Weight",
    "From",
    "Visit",
    "",
  ]
  const values = [
    "R-1",
    "Café Sur",
    "+598 1",
    "Colonia 5",
    "-34.9",
    "-56.2",
    "007",
    "2.5",
    "8:00",
    "2031-05-04",
    "",
  ]
  const preview = {
    headers,
    rows: [{ row: 2, values }],
    columns: { ID: "Order no.", startTime: "From", receiver: "Customer" },
  } as unknown as Parameters<typeof fieldsOfFile>[0]
  const fields = fieldsOfFile(preview, new Set(["receiver"]), "Coordinate")
  assert.deepEqual(
    fields.map(({ title, type }) => `${title} ${type}`),
    [
      "Customer String",
      "Phone PhoneNumber",
      "Street Address",
      "Coordinate Geolocation",
      "Code String",
      "Weight Numeric",
      "Visit Date",
    ],
  )
  const words = { title: titleOf(fields), planPage: "Plan", workPage: "Work", note: "Note", photos: "Photos" }
  const flow = flowOfFields("Morning", fields, words)
  assert.deepEqual(
    outcomeRules(flow.configurations).map(({ outcome }) => outcome),
    ["failed", "skipped"],
  )
  const [plan, work] = flow.pages
  assert.deepEqual(
    plan?.components.flatMap(({ id, showAs }) => (showAs ? [`${id} ${showAs}`] : [])),
    ["customer title", "street content", "coordinate expectedCoordinate"],
  )
  assert.deepEqual(
    work?.components.map(({ component }) => component),
    ["input", "photo"],
  )
})

test("a file with addresses alone gives a flow with a place, which the import finds by the address", () => {
  const preview = {
    headers: ["Customer", "Address"],
    rows: [{ row: 2, values: ["Café Sur", "Colonia 5"] }],
    columns: {},
  } as unknown as Parameters<typeof fieldsOfFile>[0]
  const fields = fieldsOfFile(preview, new Set(), "Coordinate")
  const words = { title: titleOf(fields), planPage: "Plan", workPage: "Work", note: "Note", photos: "Photos" }
  const [plan] = flowOfFields("Orders", fields, words).pages
  assert.deepEqual(
    plan?.components.map(({ id, showAs, routeAs }) => [id, showAs, routeAs]),
    [
      ["customer", "title", "VisitName"],
      ["address", "content", "Address"],
      ["coordinate", "expectedCoordinate", "Coordinate"],
    ],
  )
})

test("coordinates are found under longer titles, the plainest pair, and a file name is nobody's name", () => {
  const preview = {
    headers: ["filename", "name", "dme_latitude_deg", "latitude_deg", "longitude_deg", "dme_longitude_deg"],
    rows: [{ row: 2, values: ["Deelen_TACAN", "Deelen", "", "52.057", "5.873", ""] }],
    columns: {},
  } as unknown as Parameters<typeof fieldsOfFile>[0]
  const fields = fieldsOfFile(preview, new Set(), "Coordinate")
  assert.equal(titleOf(fields), "name")
  assert.deepEqual(
    fields.find(({ type }) => type === "Geolocation"),
    {
      headers: ["latitude_deg", "longitude_deg"],
      title: "Coordinate",
      type: "Geolocation",
      sample: "52.057, 5.873",
      isIncluded: true,
    },
  )
})
