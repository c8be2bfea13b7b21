import type { App } from "#core/http/types.ts"
import { recordBulkRoutes } from "./bulk-routes.ts"
import { recordKeyRoutes } from "./key-routes.ts"
import { recordReaders, recordRoutes as singleRecordRoutes } from "./routes.ts"

export { auditedRecord } from "./audited-record.ts"
export { createRecords, type ReadRecord } from "./create-records.ts"
export { refusedValues } from "./errors.ts"
export { hasFieldFilters, readFieldFilters } from "./find/dynamic-filter.ts"
export { fieldConditions } from "./find/list-records.ts"
export { builtCondition as builtRecordCondition } from "./find/record-filter-fields.ts"
export { foldRecordCountsSoon, recordJobs } from "./jobs.ts"
export { findRecordByKey, findRecords, findRecordsByKeys, recordColumns, visibleRecords } from "./queries.ts"
export { recordsOfType } from "./records-of-type.ts"
export { discardRecordsOfHub } from "./remove/hub-records.ts"
export { recordRestorer } from "./remove/restore-record.ts"
export {
  type RecordSnapshot,
  removeUntouchedRecords,
  restoreUntouchedRecords,
  snapshotRecords,
} from "./remove/take-back.ts"
export { dataSourceChangedAt } from "./version.ts"
export { type RecordRow, toWireRecord } from "./wire.ts"
export { type RecordInput, writeRecords } from "./write-records.ts"
export { recordReaders }

export function recordRoutes(app: App): void {
  recordBulkRoutes(app)
  recordKeyRoutes(app)
  singleRecordRoutes(app)
}
