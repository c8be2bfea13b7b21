import { toT3 } from "#shared/wire-time.ts"
import type { ImportRow } from "./queries.ts"
import { templateKey } from "./upload/template.ts"

/** An import as the wire has it: keys of other types and of what has not happened are absent. */
export function toWireImport(row: ImportRow, sign: (key: string) => string, now: Temporal.Instant) {
  return {
    _id: row.id,
    organizationId: row.organizationId,
    type: row.type,
    ...(row.hubId === null ? {} : { hubId: row.hubId }),
    filename: row.filename,
    totalRows: row.totalRows,
    totalValid: row.totalValid,
    totalInvalid: row.totalInvalid,
    status: row.status,
    ...targetKeys(row),
    fileTemplate: sign(templateKey(row)),
    ...(row.failedKey === null ? {} : { fileFailedImported: sign(row.failedKey) }),
    errorMessage: row.errorMessage,
    ...(row.processedTime === null
      ? progressOf(row, now)
      : {
          processedAt: toT3(row.processedTime),
          processingDuration: secondsBetween(row.createdTime, row.processedTime),
        }),
    totalChunks: row.totalChunks,
    processedChunks: row.processedChunks,
    mode: row.mode,
    columns: row.columns,
    totalCreated: row.createdCount,
    totalChanged: row.changedCount,
    ...(row.isDryRun ? { dryRun: true } : {}),
    ...(row.continues === null ? {} : { continues: row.continues }),
    ...(row.cancelledTime === null ? {} : { cancelledTime: toT3(row.cancelledTime) }),
    ...(row.undoneTime === null ? {} : { undoneTime: toT3(row.undoneTime) }),
    ...(row.undoResult === null ? {} : { undoResult: row.undoResult }),
    createdBy: row.createdBy,
    ...(row.updatedBy === null ? {} : { updatedBy: row.updatedBy }),
    createdTime: toT3(row.createdTime),
    updatedTime: toT3(row.updatedTime),
  }
}

function targetKeys({ type, targetId, targetName }: ImportRow): Record<string, string | null> {
  switch (type) {
    case "datasource":
      return { dataTypeId: targetId, dataTypeName: targetName }
    case "task":
      return { flowId: targetId, flowName: targetName }
    case "visit":
      return { visitTypeId: targetId, visitTypeName: targetName }
    case "route":
      return { routeConfigId: targetId, routeConfigName: targetName }
    case "vehicle":
    case "user":
      return {}
  }
}

/** Rate and expected end of a running import, from what it has done so far. */
function progressOf(row: ImportRow, now: Temporal.Instant) {
  const tried = row.totalValid + row.totalInvalid
  if (row.startedTime === null || tried === 0) return {}
  const milliseconds = Math.max(1, row.updatedTime.epochMilliseconds - row.createdTime.epochMilliseconds)
  const rowsPerSecond = (tried / milliseconds) * 1000
  const left = Math.max(0, row.totalRows - tried)
  return {
    rowsPerSecond: Math.round(rowsPerSecond * 10) / 10,
    expectedEnd: toT3(now.add({ milliseconds: Math.round((left / rowsPerSecond) * 1000) })),
  }
}

function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 1000))
}
