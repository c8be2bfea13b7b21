import assert from "node:assert/strict"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { AppError } from "#core/errors.ts"
import { threadCounts } from "#core/threads/run-in-thread.ts"
import { aWorkbook } from "#packages/spreadsheets/fixtures/files.ts"
import { readUploadStart, spoolUpload } from "./open-upload.ts"

const maxFileBytes = 64 * 1024 * 1024

async function anUpload(t: TestContext, filename: string, content: string | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-upload-"))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, "upload")
  await writeFile(path, content)
  const file = { path, filename, bytes: content.length, sha256: Buffer.alloc(32) }
  return { folder, file, fields: {}, discard: async () => undefined }
}

test("a spreadsheet that takes too long to read is refused, and the next one is read", async (t) => {
  const row = '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>'
  const hostile = await anUpload(t, "rows.xlsx", await aWorkbook({ sheetData: row.repeat(400_000) }))
  const attacker = { organizationId: "attacker", maxFileBytes }
  for (const read of [
    () => spoolUpload(hostile, { ...attacker, seconds: 0.4 }),
    () => readUploadStart(hostile, { ...attacker, seconds: 0.4 }, { shownRows: 20, countedRows: 1_000_000 }),
  ])
    await assert.rejects(read(), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(`${error.http} ${error.failedCode}`, "422 import-002")
      assert.match(error.message, /takes too long to read/)
      return true
    })
  assert.deepEqual([threadCounts("files").running, threadCounts("quick").running], [0, 0])

  const honest = await anUpload(t, "rows.csv", "Customer,Job\nAster,Install\nBirch,Repair\n")
  const spooled = await spoolUpload(honest, { organizationId: "other", maxFileBytes })
  assert.equal(spooled.rowCount, 2)
  assert.match(await readFile(spooled.path, "utf8"), /Birch/)
})
