import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { listFilterCondition } from "#core/row-filter.ts"
import { vehicleErrors } from "./errors.ts"
import { defaultWorkingTime } from "./wire.ts"

/** The filter that people build, as a condition on `vehicles`. */
export function builtCondition(sql: Sql, caller: Caller, text: string, now: Temporal.Instant): Fragment {
  // A vehicle without working hours has the default ones.
  const time = (part: "startTime" | "endTime") => ({
    kind: "text" as const,
    value: sql`left(coalesce(vehicles.working_time->>${part}, ${defaultWorkingTime[part]}), 5)`,
  })
  return listFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    refuse: (message) => vehicleErrors.badFilter({ message, fields: { filter: [message] } }),
    fields: {
      name: { kind: "text", value: sql`vehicles.name` },
      assignee: { kind: "text", value: sql`vehicles.assignee` },
      hubId: { kind: "text", value: sql`vehicles.hub_id` },
      tags: { kind: "texts", value: sql`vehicles.tags` },
      speed: { kind: "number", value: sql`vehicles.speed` },
      fixedCost: { kind: "number", value: sql`vehicles.fixed_cost` },
      oddEven: { kind: "text", value: sql`vehicles.odd_even` },
      workingStart: time("startTime"),
      workingEnd: time("endTime"),
      createdTime: { kind: "time", value: sql`vehicles.created_time` },
      updatedTime: { kind: "time", value: sql`vehicles.updated_time` },
    },
  })
}
