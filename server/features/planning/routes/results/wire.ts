import { toT1 } from "#shared/wire-time.ts"
import { constraintsByName, type NamedConstraint } from "../constraints-by-name.ts"
import type { ResultRow } from "../queries.ts"
import type { WireResult } from "../result-schemas.ts"

/** A result as the wire has it: sums and codes at the root, and once more inside `result` as older clients read them. */
export function toWireResult(row: ResultRow): WireResult & Record<string, unknown> {
  const { summary, countryCode, resultCode } = row
  const [routing, dropped] = [summary.totalVehicles ?? 0, summary.droppedVisits ?? 0]
  return {
    _id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    resultCode,
    routingDate: row.routingDate,
    hubId: row.hubId,
    hubCoordinate: row.hubCoordinate,
    status: row.status,
    message: row.message,
    configurationId: row.configurationId,
    configuration: {
      ...row.configuration,
      returnToBase: row.configuration.returnToHub,
      rawConstraint: rawConstraintOf(row.configuration.rawConstraint),
    },
    result: { ...row.result, summary, countryCode, resultCode },
    summary,
    resultTotal: { routing, dropped, total: routing + dropped },
    countryCode,
    user: { name: row.userName },
    createdBy: row.createdBy,
    createdFrom: row.createdFrom,
    finishTime: row.finishTime ? toT1(row.finishTime) : null,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
    isDeleted: false,
    totalResultHistories: row.historyCount,
    currentVersion: row.currentVersion,
    ...(row.dispatchStatus ? { dispatchStatus: row.dispatchStatus } : {}),
    ...(row.dispatchMessage === null ? {} : { dispatchMessage: row.dispatchMessage }),
    ...(row.warnings.length > 0 ? { warnings: row.warnings } : {}),
    ...(row.basedOn === null ? {} : { basedOn: row.basedOn }),
    ...(row.status === "ongoing" && row.progress ? { progress: row.progress } : {}),
  }
}

/** Results that were planned before it was an object have a list. */
function rawConstraintOf(stored: unknown): unknown {
  return Array.isArray(stored) ? constraintsByName(stored as NamedConstraint[]) : (stored ?? {})
}
