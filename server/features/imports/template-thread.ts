import { type TemplateSheet, writeTemplate } from "#core/spreadsheets/write-template.ts"
import type { TaskRunner } from "#core/threads/run-in-thread.ts"

const run: TaskRunner<readonly TemplateSheet[], Uint8Array> = (sheets) => writeTemplate(sheets)

export default run
