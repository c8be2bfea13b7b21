import assert from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { folderObjects } from "#core/objects/folder-objects.ts"
import { temporaryFolder } from "#testing/test-process.ts"
import { fetchSegment, prune, push } from "../wal.ts"

test("WAL segments are archived once, come back as they were, and old ones can be removed", async (t) => {
  const root = await temporaryFolder(t)
  const objects = folderObjects(join(root, "objects"))
  const [path, back] = [join(root, "segment"), join(root, "back")]
  const [old, name] = ["000000010000000000000002", "000000010000000000000003"]
  await writeFile(path, Buffer.alloc(100_000, 7))
  await push(objects, path, old)
  await push(objects, path, name)
  await push(objects, path, name)
  await fetchSegment(objects, name, back)
  assert.deepEqual(await readFile(back), await readFile(path))
  await writeFile(path, "other")
  await assert.rejects(push(objects, path, name), /archived already with different content/)
  await assert.rejects(fetchSegment(objects, "000000010000000000000009", back), /is not in the archive/)
  await assert.rejects(push(objects, path, "../../etc/passwd"), /no name of a WAL segment/)
  await push(objects, path, "00000002.history")
  assert.equal(await prune(objects, name), 1)
  await assert.rejects(fetchSegment(objects, old, back), /is not in the archive/)
  await fetchSegment(objects, "00000002.history", back)
})
