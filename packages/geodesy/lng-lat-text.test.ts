import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { formatLatLng, latLngProblem, parseLatitude, parseLatLng, parseLongitude } from "./lng-lat-text.ts"

test("coordinates are read latitude first and kept longitude first", () => {
  assert.deepEqual(parseLatLng("52.37214,4.90031"), [4.900_31, 52.372_14])
  assert.deepEqual(parseLatLng(" -33.86 , +151.2 "), [151.2, -33.86])
  assert.deepEqual(parseLatLng("90,-180"), [-180, 90])
  assert.deepEqual(parseLatLng("0,0"), [0, 0])
})

for (const text of [
  "",
  ",",
  "1",
  "1,",
  ",1",
  "1,2,3",
  "90.0001,0",
  "91,0",
  "0,180.0001",
  "-91,0",
  "1e1,2",
  "1,2E0",
  "1e-400,0",
  "0x1,2",
  "NaN,1",
  "Infinity,1",
  "abc,1",
  "1;2",
  "1.,2",
  ".5,2",
  "--1,2",
  "1 2,3",
  "١,٢",
  "1000,2",
]) {
  test(`"${text}" is no coordinate`, () => assert.equal(parseLatLng(text), undefined))
}

test("single values are numbers in range or plain decimal texts", () => {
  assert.equal(parseLatitude("52.37"), 52.37)
  assert.equal(parseLatitude(-90), -90)
  assert.ok(Object.is(parseLatitude("-0"), 0))
  assert.equal(parseLongitude("180"), 180)
  for (const value of [
    91,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "1e1",
    "",
    " 1",
    null,
    undefined,
    true,
    [1],
    {},
  ]) {
    assert.equal(parseLatitude(value), undefined, String(value))
  }
  assert.equal(parseLongitude(180.01), undefined)
})

test("what is written is read back, without an exponent", () => {
  const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true })
  fc.assert(
    fc.property(degrees(180), degrees(90), (longitude, latitude) => {
      const text = formatLatLng([longitude, latitude])
      assert.match(text, /^-?[\d.]+,-?[\d.]+$/)
      const back = parseLatLng(text)
      assert.ok(back, text)
      assert.ok(Math.abs(back[0] - longitude) < 1e-15 && Math.abs(back[1] - latitude) < 1e-15, text)
    }),
  )
  assert.equal(formatLatLng([0.000_000_1, 52.5]), "52.5,0.0000001")
  assert.equal(formatLatLng([-1e-300, 0]), "0,0")
  assert.equal(formatLatLng([1.234_567_890_123_456e-7, 0]), "0,0.00000012345678901235")
  const tiny = 0.000_001_234_567_890_123_456_7
  assert.deepEqual(parseLatLng(formatLatLng([tiny, -tiny])), [tiny, -tiny])
})

test("why a text is no coordinate is said with the ranges, and that the numbers may be swapped where it helps", () => {
  const range = "latitude must be between -90 and 90 and longitude between -180 and 180"
  assert.equal(latLngProblem("52.37, 4.9"), undefined)
  assert.equal(latLngProblem("95.2,4.9"), `${range} (the two may be swapped)`)
  assert.equal(latLngProblem("4.9, 195.2"), range)
  for (const text of ["", "Quay 1", "52.37", "52,37,4,90", "52.37;4.9"])
    assert.equal(latLngProblem(text), "must be latitude,longitude", text)
})
