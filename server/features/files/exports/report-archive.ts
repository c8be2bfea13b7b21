import type { Caller } from "#core/access/caller.ts"
import type { Config } from "#core/config.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { zipWriter } from "#packages/spreadsheets/xlsx/zip-writer.ts"
import { makeReport } from "../../customers/reports/index.ts"
import { findTasks, type TaskRow } from "../../work/tasks/index.ts"
import { type MakeContext, storeFile } from "./make-file.ts"
import type { ReportRequest } from "./queries.ts"
import { chosenTaskIds } from "./task-source.ts"

/** Writes a ZIP archive with the service report of each task; those deleted meanwhile are left out. */
export async function makeReportArchive(
  context: MakeContext & { config: Config; links: SignedLinks },
  caller: Caller,
  { options, language }: ReportRequest,
  key: string,
): Promise<{ rowCount: number }> {
  const { sql, now, signal } = context
  const ids = await sql.begin((tx) => chosenTaskIds(tx, caller, options, now))
  return storeFile(context, key, async (out) => {
    const archive = zipWriter(out)
    let rowCount = 0
    for (const id of ids) {
      signal.throwIfAborted()
      const [task] = await findTasks(sql, caller, [id])
      if (!task) continue
      await archive.part(nameOf(task), [await makeReport(context, task, language)])
      rowCount += 1
    }
    await archive.finish()
    return { rowCount }
  })
}

/** The id makes it unique; the reference is what people look for. */
function nameOf({ id, refId }: TaskRow): string {
  const reference = (refId ?? "").replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 60)
  return `report-${reference === "" ? "" : `${reference}-`}${id}.pdf`
}
