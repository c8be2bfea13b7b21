import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Field, type FieldKind, fieldKinds } from "./field.ts"
import {
  convert,
  isPhoneNumber,
  orderKeyOf,
  readFields,
  readFieldValue,
  readPrimaryKey,
} from "./field-values.ts"

const field = (type: FieldKind, more: Partial<Field> = {}): Field => ({
  id: "f",
  title: "F",
  description: null,
  type,
  default: null,
  optionData: type === "option" ? ["gold", "Silver"] : [],
  required: false,
  primaryKey: false,
  show: true,
  visible: true,
  ...more,
})

const kinds = Object.keys(fieldKinds) as FieldKind[]

test("whatever is sent for a field is read or refused, and what was read is read again as it is", () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.string({ unit: "binary" }),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .tuple(fc.double({ min: -200, max: 200 }), fc.double({ min: -200, max: 200 }))
      .map(([lat, lng]) => `${lat},${lng}`),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      anything,
      fc.constantFrom("api" as const, "file" as const),
      (kind, value, source) => {
        const read = readFieldValue(field(kind), value, source)
        if ("reason" in read) {
          assert.ok(read.reason.length > 0 && /^0\d\d$/.test(read.code))
          return
        }
        assert.ok(["string", "number", "boolean"].includes(typeof read.value))
        assert.deepEqual(readFieldValue(field(kind), read.value), read)
        const key = orderKeyOf(field(kind), read.value)
        assert.ok(key === undefined || Number.isFinite(key))
        const parsed = JSON.parse(JSON.stringify(read.value))
        assert.deepEqual(parsed, Object.is(read.value, -0) ? 0 : read.value)
      },
    ),
    { numRuns: 500 },
  )
})

test("a file's words are read as people type them, the interface's exactly", () => {
  assert.deepEqual(readFieldValue(field("option"), "SILVER", "file"), { value: "Silver" })
  assert.ok("reason" in readFieldValue(field("option"), "SILVER"))
  assert.deepEqual(readFieldValue(field("boolean"), "Yes", "file"), { value: true })
  assert.ok("reason" in readFieldValue(field("boolean"), "Yes"))
  assert.deepEqual(readFieldValue(field("boolean"), "no", "file"), { value: false })
  assert.deepEqual(readFieldValue(field("boolean"), 0), { value: false })
})

test("phone numbers are digits with single spaces, however long the text is", () => {
  for (const good of ["+31 20 555 0147", "+3120 555 0147", "0205550147", "123456"])
    assert.equal(isPhoneNumber(good), true, good)
  for (const bad of [
    "12345",
    "+31  20 555 0147",
    "020-5550147",
    "1".repeat(21),
    "",
    "+",
    `${"1 ".repeat(50_000)}x`,
  ])
    assert.equal(isPhoneNumber(bad), false, bad.slice(0, 30))
})

test("a primary key is trimmed text of at most 255 characters, numbers as text", () => {
  assert.deepEqual(readPrimaryKey("  DP-1 "), { value: "DP-1" })
  assert.deepEqual(readPrimaryKey(42), { value: "42" })
  for (const bad of [undefined, null, "", "  ", true, {}, "x".repeat(256), "a\u0000"])
    assert.ok("reason" in readPrimaryKey(bad), String(bad))
})

test("the order of times is that of their instants, whatever zone they are written in", () => {
  const at = (text: string) => orderKeyOf(field("dateTime"), text) ?? Number.NaN
  assert.equal(at("2031-05-04T03:00:00+02:00"), at("2031-05-04 01:00:00"))
  assert.ok(at("2031-05-04T03:00:00.500Z") > at("2031-05-04T03:00:00Z"))
  assert.equal(orderKeyOf(field("time"), "6:30"), 6 * 3600 + 30 * 60)
  assert.equal(orderKeyOf(field("date"), "1970-01-02"), 86_400_000)
  assert.equal(orderKeyOf(field("text"), "5"), undefined)
})

test("a record's names never reach beyond its own keys", () => {
  const odd = field("text", { id: "constructor", required: true })
  assert.deepEqual(readFields([odd], {}, "create").problems[0]?.reason, "is required")
})

test("values are converted as far as a person would", () => {
  const cases: [FieldKind, unknown, unknown][] = [
    ["number", "12.5", 12.5],
    ["number", true, 1],
    ["number", "many", undefined],
    ["text", 12, "12"],
    ["text", true, "true"],
    ["boolean", "YES", true],
    ["option", " GOLD ", "gold"],
    ["date", "2031-05-04 03:00:00", "2031-05-04"],
    ["dateTime", "2031-05-04", "2031-05-04 00:00:00"],
    ["geolocation", "52.1, 4.3", "52.1,4.3"],
    ["date", "soon", undefined],
  ]
  for (const [kind, stored, converted] of cases)
    assert.equal(convert(field(kind), stored), converted, `${kind} ${String(stored)}`)
})
