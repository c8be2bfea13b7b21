import assert from "node:assert/strict"
import { test } from "node:test"
import { deviceKeyOf } from "./credentials.ts"
import { aRequest } from "./device-request.fixture.ts"

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
const keyOf = (authorization: string, query = "") =>
  deviceKeyOf(aRequest({ headers: { authorization }, query }))

test("a device shows its key as bearer, as password or in the address", () => {
  assert.equal(keyOf("Bearer k3y"), "k3y")
  assert.equal(keyOf("bearer  k3y "), "k3y")
  assert.equal(keyOf(basic("nadia:k3y")), "k3y")
  assert.equal(keyOf(basic("nadia:a:b")), "a:b")
  assert.equal(deviceKeyOf(aRequest({ query: "?key=k3y&lat=1" })), "k3y")
})

test("without a key there is none", () => {
  assert.equal(deviceKeyOf(aRequest({})), undefined)
  assert.equal(keyOf("Bearer "), undefined)
  assert.equal(keyOf("Bearer"), undefined)
  assert.equal(keyOf(basic("nadia")), undefined)
  assert.equal(keyOf(basic("nadia:")), undefined)
  assert.equal(keyOf("Digest abc", "?key="), undefined)
})

test("a header wins over the address", () => {
  assert.equal(keyOf("Bearer header", "?key=address"), "header")
})
