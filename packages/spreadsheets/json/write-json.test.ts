import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { aFolder, written } from "../fixtures/files.ts"
import { readZipDirectory } from "../xlsx/zip-directory.ts"
import { readZipPartText } from "../xlsx/zip-part.ts"
import { writeJsonArray, writeJsonLines, writeJsonZip } from "./write-json.ts"

async function unzipped(t: TestContext, bytes: Buffer): Promise<Record<string, unknown>> {
  const path = join(aFolder(t), "archive")
  mkdirSync(join(path, "../../server/core"), { recursive: true })
  writeFileSync(path, bytes)
  const file = await open(path)
  const parts: Record<string, unknown> = {}
  for (const [name, entry] of await readZipDirectory(file, bytes.length)) {
    parts[name] = JSON.parse(await readZipPartText(file, entry, 1_000_000))
  }
  await file.close()
  return parts
}

test("items become one JSON array, inside whatever is put around it", async () => {
  const plain = await written((out) => writeJsonArray(out, [{ a: "ä" }, null, undefined]))
  assert.deepEqual(JSON.parse(plain.toString()), [{ a: "ä" }, null, null])
  const around = { before: '{"type":"FeatureCollection","features":', after: "}" }
  const features = await written((out) => writeJsonArray(out, [], around))
  assert.deepEqual(JSON.parse(features.toString()), { type: "FeatureCollection", features: [] })
})

test("items become lines of JSON, and no item an empty file", async () => {
  const items = [{ a: "ä\n" }, null, { text: "x".repeat(70_000) }, { b: 1 }]
  const lines = (await written((out) => writeJsonLines(out, items))).toString().split("\n")
  assert.equal(lines.pop(), "")
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    items,
  )
  assert.equal((await written((out) => writeJsonLines(out, []))).length, 0)
})

test("many items become a zip of numbered arrays, the last one shorter", async (t) => {
  const options = { baseName: "task_export", itemsPerFile: 2 }
  const five = await written((out) => writeJsonZip(out, { ...options, items: [1, 2, 3, 4, 5] }))
  assert.deepEqual(await unzipped(t, five), {
    "task_export_1.json": [1, 2],
    "task_export_2.json": [3, 4],
    "task_export_3.json": [5],
  })
  const four = await written((out) => writeJsonZip(out, { ...options, items: [1, 2, 3, 4] }))
  assert.deepEqual(Object.keys(await unzipped(t, four)), ["task_export_1.json", "task_export_2.json"])
  const none = await written((out) => writeJsonZip(out, { ...options, items: [] }))
  assert.deepEqual(await unzipped(t, none), { "task_export_1.json": [] })
})
