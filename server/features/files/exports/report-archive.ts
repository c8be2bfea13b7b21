import type { Caller } from "#core/access/caller.ts"
import type { Config } from "#core/config.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { zipWriter } from "#packages/spreadsheets/xlsx/zip-writer.ts"
import { joinReports, makeReport } from "../../customers/reports/index.ts"
import { findTasks, type TaskRow } from "../../work/tasks/index.ts"
import { type MakeContext, storeFile } from "./make-file.ts"
import type { ReportRequest } from "./queries.ts"
import { chosenTaskIds } from "./task-source.ts"

/** Writes the service report of each task into a ZIP archive or one PDF; tasks deleted meanwhile are left out. */
export async function makeReportFile(
  context: MakeContext & { config: Config; links: SignedLinks },
  caller: Caller,
  { options, language, format }: ReportRequest,
  key: string,
): Promise<{ rowCount: number }> {
  const { sql, now, signal } = context
  const ids = await sql.begin((tx) => chosenTaskIds(tx, caller, options, now))
  return storeFile(context, key, async (out) => {
    const [archive, document] = [zipWriter(out), joinReports(out)]
    let rowCount = 0
    for (const id of ids) {
      signal.throwIfAborted()
      const [task] = await findTasks(sql, caller, [id])
      if (!task) continue
      const report = await makeReport(context, task, language)
      if (format === "pdf") await document.add(report, titleOf(task))
      else await archive.part(nameOf(task), [report])
      rowCount += 1
    }
    await (format === "pdf" ? document : archive).finish()
    return { rowCount }
  })
}

/** A bookmark of the document. */
const titleOf = ({ id, refId, title }: TaskRow) => [title, refId ?? id.slice(-8)].filter(Boolean).join(" · ")

/** The id makes it unique; the reference is what people look for. */
function nameOf({ id, refId }: TaskRow): string {
  const reference = (refId ?? "").replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 60)
  return `report-${reference === "" ? "" : `${reference}-`}${id}.pdf`
}
