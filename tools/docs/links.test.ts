import assert from "node:assert/strict"
import { resolve } from "node:path"
import { test } from "node:test"
import { brokenLinks, stalePaths } from "./links.ts"

const root = resolve(import.meta.dirname, "../..")

test("every link between documents leads somewhere", async () => {
  assert.deepEqual(await brokenLinks(root), [])
})

test("every path of the repository that a document names exists", async () => {
  assert.deepEqual(await stalePaths(root), [])
})
