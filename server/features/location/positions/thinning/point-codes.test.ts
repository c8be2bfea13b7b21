import assert from "node:assert/strict"
import { test } from "node:test"
import { protocolNames } from "#packages/tracker-protocols/index.ts"
import { isTracker, sourceCodeOf, sourceCodes, sourceOf } from "./point-codes.ts"

test("every source has a number of its own, and only GPS trackers count as such", () => {
  const names = Object.keys(sourceCodes)
  assert.deepEqual(
    names.map((name) => sourceOf(sourceCodeOf(name) ?? null)),
    names,
  )
  const trackers = names.filter((name) => isTracker(sourceCodeOf(name) ?? null))
  assert.deepEqual(trackers.toSorted(), [...protocolNames].sort())
})
