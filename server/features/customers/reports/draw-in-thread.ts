import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import type { ReportContent } from "./report-content.ts"

const drawInThread: ThreadTask<ReportContent, Uint8Array> = {
  name: "drawing the report",
  module: new URL("./report-thread.ts", import.meta.url),
  pool: "files",
  seconds: 60,
}

/** Draws a report as a PDF. */
export async function drawPdf(organizationId: string, content: ReportContent): Promise<Buffer> {
  return Buffer.from(await runInThread(drawInThread, content, { organizationId }))
}
