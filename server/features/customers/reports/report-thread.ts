import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { drawReport } from "./draw-report.ts"
import type { ReportContent } from "./report-content.ts"

const run: TaskRunner<ReportContent, Uint8Array> = drawReport

export default run
