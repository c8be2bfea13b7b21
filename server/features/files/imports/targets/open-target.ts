import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { numberSeparators } from "#packages/spreadsheets/parse-number.ts"
import type { ImportRow } from "../queries.ts"
import type { Reading } from "../rows/cell-values.ts"
import { dataTarget } from "./data-target.ts"
import { routeTarget } from "./route-target.ts"
import type { Target } from "./target.ts"
import { taskTarget } from "./task-target.ts"
import { userTarget } from "./user-target.ts"
import { vehicleTarget } from "./vehicle-target.ts"

export type TargetOptions = Pick<ImportRow, "type" | "mode" | "hubId" | "targetId"> &
  Partial<Pick<ImportRow, "name" | "filename">>

export function readingOf(caller: Pick<Caller, "timeZone" | "language">): Reading {
  return { timeZone: caller.timeZone, separators: numberSeparators(caller.language) }
}

/** What the rows become. Undefined when the flow, data type or configuration does not exist. */
export async function openTarget(
  sql: Sql,
  caller: Caller,
  options: TargetOptions,
): Promise<Target | undefined> {
  const reading = readingOf(caller)
  switch (options.type) {
    case "task":
    case "visit":
      return taskTarget(sql, caller, {
        flowId: options.targetId ?? "",
        hubId: options.hubId ?? "",
        mode: options.mode,
        reading,
        isVisit: options.type === "visit",
      })
    case "datasource":
      return dataTarget(sql, caller, {
        dataTypeId: options.targetId ?? "",
        hubId: options.hubId,
        mode: options.mode,
        reading,
      })
    case "vehicle":
      return vehicleTarget({ hubId: options.hubId ?? "", mode: options.mode, reading })
    case "user":
      return userTarget(sql, caller, { hubId: options.hubId ?? "", mode: options.mode })
    case "route":
      return routeTarget(sql, caller, {
        configurationId: options.targetId,
        hubId: options.hubId ?? "",
        mode: options.mode,
        reading,
        name: options.name ?? (options.filename ?? "").replace(/\.[^.]+$/, ""),
      })
  }
}
