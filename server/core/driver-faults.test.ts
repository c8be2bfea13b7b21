import assert from "node:assert/strict"
import { test } from "node:test"
import { isHarmlessDriverFault } from "./driver-faults.ts"

test("only the driver's write to a connection that was just closed is passed over", () => {
  const fault = new TypeError("Cannot read properties of null (reading 'write')")
  assert.equal(isHarmlessDriverFault(fault), false, "ours would be a fault")
  fault.stack = `${fault.message}\n    at nextWrite (file:///srv/node_modules/postgres/src/connection.js:255:22)`
  assert.equal(isHarmlessDriverFault(fault), true)
  assert.equal(isHarmlessDriverFault(new Error("anything else")), false)
})
