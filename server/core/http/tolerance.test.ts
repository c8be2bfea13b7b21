import assert from "node:assert/strict"
import { test } from "node:test"
import { type TSchema, Type } from "typebox"
import { AppError } from "../errors.ts"
import { commaList, parseBoolean, parseNumber, SizeRefusal, tolerate } from "./tolerance.ts"
import { entryReader } from "./validation.ts"

const Body = Type.Object({
  name: Type.String({ minLength: 1 }),
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  active: Type.Optional(Type.Boolean()),
  people: Type.Optional(Type.Array(Type.String())),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  at: Type.Optional(Type.String({ format: "wire-date-time" })),
})

test("numbers, booleans and lists are read from text as clients send them", () => {
  const read = tolerate(Body, {
    name: 12,
    lat: " 52.5 ",
    active: "1",
    people: "a@x.test, b@x.test",
    extra: { kept: true },
  })
  assert.deepEqual(read, {
    name: "12",
    lat: 52.5,
    active: true,
    people: ["a@x.test", "b@x.test"],
    extra: { kept: true },
  })
})

test("a null or empty optional field is not given, a null that is allowed stays", () => {
  assert.deepEqual(tolerate(Body, { name: "a", lat: 1, active: null, people: null, note: null }), {
    name: "a",
    lat: 1,
    note: null,
  })
  assert.deepEqual(tolerate(Body, { name: "a", lat: 1, active: "" }), { name: "a", lat: 1 })
})

test("a missing or null coordinate is refused and never becomes 0", () => {
  const read = entryReader(Body, "hub")
  for (const lat of [null, "", "abc", "0x10", Number.NaN]) {
    assert.throws(
      () => read({ name: "a", lat }),
      (error) => error instanceof AppError && error.http === 400 && /^hub-00[19]$/.test(error.failedCode),
      String(lat),
    )
  }
})

test("the refusal names the first problem in words and every problem by field", () => {
  try {
    entryReader(Body, "hub")({ lat: "north", at: "soon" })
    assert.fail("it was taken")
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), ["at", "lat", "name"])
    assert.match(error.message, /^name is required$/)
  }
})

test("an empty date, id or word counts as not given, and numbers by name are read from text", () => {
  const Loose = Type.Object({
    at: Type.Optional(Type.String({ format: "wire-date-time" })),
    kind: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
    until: Type.Optional(Type.Union([Type.String({ format: "wire-time" }), Type.Null()])),
    text: Type.Optional(Type.String()),
    limits: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Number()), Type.Null()])),
  })
  const read = tolerate(Loose, { at: "", kind: "", until: "", text: "", limits: { weight: "2.5" } })
  assert.deepEqual(read, { text: "", limits: { weight: 2.5 } })
})

test("the error of a union is that of the intended member", () => {
  const read = entryReader(
    Type.Object({
      hours: Type.Union([Type.Object({ from: Type.String({ format: "wire-time" }) }), Type.Null()]),
      kind: Type.Optional(Type.Union([Type.Literal("odd"), Type.Literal("even"), Type.Null()])),
    }),
    "hub",
  )
  const refusal = (value: unknown) => {
    try {
      return read(value) && "taken"
    } catch (error) {
      return error instanceof AppError ? `${error.failedCode} ${error.message}` : String(error)
    }
  }
  assert.equal(refusal({ hours: {} }), "hub-001 hours.from is required")
  assert.equal(refusal({ hours: { from: "9h" } }), "hub-018 hours.from must be a time such as 03:02")
  assert.equal(refusal({ hours: 7 }), "hub-013 hours must be of type object")
  assert.equal(refusal({ hours: null, kind: "both" }), "hub-017 kind must be one of odd, even")
})

test("a number is decimal digits with a sign, a point and an exponent, and finite", () => {
  const numbers = { "0": 0, "-7": -7, "+7": 7, "1.": 1, ".5": 0.5, "1e3": 1000, "1E-2": 0.01, " 12 ": 12 }
  for (const [text, number] of Object.entries(numbers)) assert.equal(parseNumber(text), number, text)
  for (const text of ["", "-", ".", "1,5", "1e", "0x10", "Infinity", "1e400", "1 2", "NaN"])
    assert.equal(parseNumber(text), undefined, text)
  assert.equal(parseNumber("1".padStart(400, "0")), 1)
  assert.equal(parseNumber("1".padStart(401, "0")), undefined)
})

test("a boolean is itself, 0, 1 or the word in any letters", () => {
  for (const value of [true, 1, "1", "true", " TRUE "]) assert.equal(parseBoolean(value), true, String(value))
  for (const value of [false, 0, "0", "false", "False"])
    assert.equal(parseBoolean(value), false, String(value))
  for (const value of [2, "2", "yes", "", null, undefined, {}, `${" ".repeat(20)}true`])
    assert.equal(parseBoolean(value), undefined, String(value))
  assert.deepEqual(commaList(" a, ,b,"), ["a", "b"])
})

test("a union is read by the member that takes the kind of value, otherwise by the first that can read it", () => {
  const Mixed = Type.Union([
    Type.Array(Type.String()),
    Type.Number(),
    Type.Null(),
    Type.Object({ n: Type.Number() }),
  ])
  for (const [given, expected] of [
    ["a,b", ["a", "b"]],
    [["a"], ["a"]],
    [7, 7],
    [null, null],
    [{ n: "2" }, { n: 2 }],
    [true, true],
  ])
    assert.deepEqual(tolerate(Mixed, given), expected)
  const Whole = Type.Union([Type.Integer(), Type.String()])
  assert.equal(tolerate(Whole, 2), 2)
  assert.equal(tolerate(Whole, 2.5), "2.5")
  assert.equal(tolerate(Whole, "2"), "2")
  const NoText = Type.Union([Type.Boolean(), Type.Integer()])
  assert.deepEqual([tolerate(NoText, "true"), tolerate(NoText, "12"), tolerate(NoText, "x")], [true, 12, "x"])
})

test("lists of other things than texts are not made of a text, and an empty list may be an empty map", () => {
  const Numbers = Type.Array(Type.Number())
  assert.equal(tolerate(Numbers, "1,2"), "1,2")
  assert.deepEqual(tolerate(Numbers, ["1", 2]), [1, 2])
  assert.deepEqual(tolerate(Type.Unsafe({ type: "array" }), ["1"]), ["1"])
  const Place = Type.Object({ lat: Type.Number() })
  assert.deepEqual(tolerate(Place, []), {})
  assert.deepEqual(tolerate(Place, [1]), [1])
  assert.equal(tolerate(Place, null), null)
  assert.equal(tolerate(Place, "x"), "x")
})

test("the first part beyond its size is refused with its place, before what is inside of it", () => {
  const Sized = Type.Object({
    list: Type.Optional(Type.Array(Type.Object({ text: Type.String({ maxLength: 3 }) }), { maxItems: 2 })),
    map: Type.Optional(Type.Record(Type.String(), Type.Integer(), { maxProperties: 1 })),
    whole: Type.Optional(Type.Integer()),
    some: Type.Optional(Type.Integer({ maximum: 10 })),
  })
  const refusal = (value: unknown) => {
    try {
      tolerate(Sized, value)
      return "taken"
    } catch (error) {
      return error instanceof SizeRefusal
        ? `${error.keyword} ${error.limit} ${error.place.join(".")}`
        : String(error)
    }
  }
  const text = (length: number) => ({ text: "x".repeat(length) })
  // A character may be two UTF-16 units: what has at most twice as many is left to the schema.
  assert.equal(refusal({ list: [text(6), text(6)] }), "taken")
  assert.equal(refusal({ list: [text(1), text(7)] }), "maxLength 3 list.1.text")
  assert.equal(refusal({ list: [text(9), text(9), text(9)] }), "maxItems 2 list")
  assert.equal(refusal({ map: { a: 1 } }), "taken")
  assert.equal(refusal({ map: { a: 1, b: 2 } }), "maxProperties 1 map")
  assert.equal(refusal({ map: { a: "9007199254740992" } }), "maximum 9007199254740991 map.a")
  assert.equal(refusal({ whole: Number.MAX_SAFE_INTEGER }), "taken")
  assert.equal(refusal({ whole: -(2 ** 53) }), "maximum 9007199254740991 whole")
  assert.equal(refusal({ some: 2 ** 60 }), "taken")
  assert.equal(refusal({ list: [text(1)] }), "taken")
})

test("null and an empty text are not given unless they mean something in their place", () => {
  const some = (schema: TSchema) => Type.Object({ x: Type.Optional(schema) })
  const isKept = (schema: TSchema, value: unknown) =>
    Object.hasOwn(tolerate(some(schema), { x: value }) as object, "x")
  const date = Type.String({ format: "wire-date-time" })
  for (const schema of [
    Type.Any(),
    Type.Null(),
    Type.Union([date, Type.Null()]),
    Type.Union([Type.Null(), date]),
  ])
    assert.ok(isKept(schema, null), JSON.stringify(schema))
  for (const schema of [Type.String(), Type.Union([date, Type.Number()]), Type.Object({}), Type.Array(date)])
    assert.ok(!isKept(schema, null), JSON.stringify(schema))
  for (const schema of [Type.Any(), Type.String(), Type.Union([date, Type.String()])])
    assert.ok(isKept(schema, ""), JSON.stringify(schema))
  for (const schema of [
    ...[
      date,
      Type.Number(),
      Type.Union([date, Type.Null()]),
      Type.String({ pattern: "^a$" }),
      Type.Literal("a"),
    ],
    ...[
      Type.Unsafe({ enum: ["a"] }),
      Type.Unsafe({ const: "a" }),
      Type.Unsafe({ type: "string", enum: ["a"] }),
    ],
  ])
    assert.ok(!isKept(schema, ""), JSON.stringify(schema))
  assert.deepEqual(tolerate(some(Type.Number()), { y: "" }), { y: "" })
  // A member that takes anything is asked last.
  assert.equal(tolerate(Type.Union([Type.Object({}), Type.Number()]), null), null)
  assert.deepEqual(
    tolerate(Type.Union([Type.Object({ n: Type.Number() }), Type.Array(Type.Number())]), ["1"]),
    [1],
  )
  assert.equal(parseBoolean(`${" ".repeat(16)}true`), true)
  assert.equal(parseBoolean(`${" ".repeat(17)}true`), undefined)
})
