import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { numberSeparators } from "#packages/spreadsheets/parse-number.ts"
import type { ImportRow } from "../queries.ts"
import type { Reading } from "../rows/cell-values.ts"
import { dataTarget } from "./data-target.ts"
import { routeTarget } from "./route-target.ts"
import type { Target } from "./target.ts"
import { taskTarget } from "./task-target.ts"

export type TargetWish = Pick<ImportRow, "type" | "mode" | "hubId" | "targetId"> &
  Partial<Pick<ImportRow, "name" | "filename">>

export function readingOf(caller: Pick<Caller, "timeZone" | "language">): Reading {
  return { timeZone: caller.timeZone, separators: numberSeparators(caller.language) }
}

/** What the rows become. Undefined when the flow, data type or configuration does not exist. */
export async function openTarget(sql: Sql, caller: Caller, wish: TargetWish): Promise<Target | undefined> {
  const reading = readingOf(caller)
  switch (wish.type) {
    case "task":
    case "visit":
      return taskTarget(sql, caller, {
        flowId: wish.targetId ?? "",
        hubId: wish.hubId ?? "",
        mode: wish.mode,
        reading,
        isVisit: wish.type === "visit",
      })
    case "datasource":
      return dataTarget(sql, caller, {
        dataTypeId: wish.targetId ?? "",
        hubId: wish.hubId,
        mode: wish.mode,
        reading,
      })
    case "route":
      return routeTarget(sql, caller, {
        configurationId: wish.targetId,
        hubId: wish.hubId ?? "",
        mode: wish.mode,
        reading,
        name: wish.name ?? (wish.filename ?? "").replace(/\.[^.]+$/, ""),
      })
  }
}
