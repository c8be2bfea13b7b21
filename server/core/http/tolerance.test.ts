import assert from "node:assert/strict"
import { test } from "node:test"
import { Type } from "typebox"
import { AppError } from "../errors.ts"
import { tolerate } from "./tolerance.ts"
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
