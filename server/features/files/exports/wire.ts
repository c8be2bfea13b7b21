import { toT1, toT3 } from "#shared/wire-time.ts"
import type { ExportRow } from "./queries.ts"
import type { Finished } from "./request-export.ts"

export type Sign = (key: string) => string

/** The response to an export call: with a link when it is done, else with the advice to look into the log. */
export function toWireResponse({ row, lastId, lastField }: Finished, sign: Sign) {
  const isDone = row.status === "Done" && row.fileKey !== null
  const base = {
    time: Math.floor(row.requestedTime.epochMilliseconds / 1000),
    organizationId: row.organizationId,
    reportType: row.dataType,
    ...(isDone && row.fileKey ? { link: sign(row.fileKey) } : {}),
    status: row.status,
    fileName: row.dataName,
  }
  return {
    status: true as const,
    message: isDone ? "Success" : "The export is in progress. You can find it in the export log",
    total_data_be: row.totalRecords,
    ...(isDone && lastId !== undefined ? { last_id: lastId } : {}),
    ...(isDone && lastField !== undefined ? { last_field: lastField } : {}),
    data: base,
  }
}

/** An entry of the log as a hit of the wire's search: the published shape, and the older keys beside it. */
export function toWireHit(row: ExportRow, sign: Sign) {
  const fileUrl = row.status === "Done" && row.fileKey ? sign(row.fileKey) : null
  return {
    _index: "export",
    _type: "_doc",
    _id: `exp_${row.id}`,
    _score: 1,
    sort: [row.requestedTime.epochMilliseconds],
    _source: {
      organizationId: row.organizationId,
      dataType: row.dataType,
      dataName: row.dataName,
      status: row.status,
      requestAt: toT1(row.requestedTime),
      completedAt: row.completedTime && toT1(row.completedTime),
      email: row.email,
      fileUrl,
      fileType: row.fileType,
      totalRecords: row.totalRecords,
      errorMessage: row.errorMessage,
      dataTotal: row.totalRecords,
      request: JSON.stringify(row.request.body ?? {}),
      response: JSON.stringify(toWireResponse({ row, lastId: undefined, lastField: undefined }, sign)),
      exportAt: toT3(row.requestedTime),
      exportBy: row.userName,
      hubName: row.hubNames,
      link: fileUrl,
      ...(row.exportConfigId === null ? {} : { exportConfigId: row.exportConfigId }),
    },
  }
}
