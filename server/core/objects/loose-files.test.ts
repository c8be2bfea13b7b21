import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import { testOrganization } from "#testing/test-app.ts"
import { discardFiles, expectFile, keepFile, looseFileJobs } from "./loose-files.ts"

test("a file that no row came to refer to goes after a day, one that is kept stays", async (t) => {
  const { app, sql, jobContext, org } = await testOrganization(t)
  const key = (name: string) => `${org.id}/avatars/${name}`
  for (const name of ["kept", "lost", "owned", "away"]) {
    await expectFile(sql, key(name))
    await app.objects.put(key(name), Buffer.from(name))
  }
  await inTransaction(sql, (tx) => keepFile(tx, key("kept")))
  // Stored a second time by a worker that was taken for dead: the row is older than the note.
  await sql`update users set avatar = ${app.links.plain(key("owned"))} where id = ${org.owner.id}`
  const away = { ...app.objects, remove: () => Promise.reject(new Error("the store is away")) }
  await inTransaction(sql, (tx) => discardFiles(tx, away, [key("away"), null]))
  const tidy = async () => {
    for (const job of looseFileJobs) await job.handle(jobContext(), {})
    return (await Array.fromAsync(app.objects.list(org.id))).map((each) => each.split("/").at(-1)).toSorted()
  }
  assert.deepEqual(await tidy(), ["kept", "lost", "owned"])
  await sql`update loose_files set remove_after = remove_after - interval '1 day'`
  assert.deepEqual(await tidy(), ["kept", "owned"])
  assert.equal((await sql`select 1 from loose_files where organization_id = ${org.id}`).length, 0)
})
