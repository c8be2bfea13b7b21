import { toT3 } from "#shared/wire-time.ts"
import type { ReadingRow } from "./queries.ts"

export function toWireReading(row: ReadingRow, sign: (key: string) => string) {
  return {
    _id: row.id,
    system: row.system,
    collection: row.collection,
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.dumpName === null ? {} : { filename: row.dumpName }),
    ...(row.fromDay === "" ? {} : { from: row.fromDay, to: row.toDay }),
    status: row.status,
    rowCount: row.rowCount,
    emptyCount: row.emptyCount,
    requestCount: row.requestCount,
    byteCount: row.byteCount,
    ...(row.waitsUntil === null ? {} : { waitsUntil: toT3(row.waitsUntil) }),
    ...(row.problem === null ? {} : { problem: row.problem }),
    ...(row.fileKey === null ? {} : { file: sign(row.fileKey) }),
    createdBy: row.createdBy,
    createdTime: toT3(row.createdTime),
    updatedTime: toT3(row.updatedTime),
    ...(row.endedTime === null ? {} : { endedTime: toT3(row.endedTime) }),
  }
}
