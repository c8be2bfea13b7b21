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
