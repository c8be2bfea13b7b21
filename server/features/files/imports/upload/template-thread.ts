import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { type TemplateSheet, writeTemplate } from "#packages/spreadsheets/write-template.ts"

const run: TaskRunner<readonly TemplateSheet[], Uint8Array> = (sheets) => writeTemplate(sheets)

export default run
