import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type FilterField, rowFilterCondition } from "#core/row-filter.ts"
import { type DataTypeRow, primaryKeyId } from "../../data-types/index.ts"
import { dataErrors } from "../errors.ts"

const columns: Readonly<Record<string, readonly ["text" | "time", string]>> = {
  _id: ["text", "id"],
  [primaryKeyId]: ["text", "data_id"],
  hubId: ["text", "hub_id"],
  dataTypeId: ["text", "data_type_id"],
  createdBy: ["text", "created_by"],
  updatedBy: ["text", "updated_by"],
  createdTime: ["time", "created_time"],
  updatedTime: ["time", "updated_time"],
}

/** The filter that people build, as a condition on `data_records`. */
export function builtCondition(
  sql: Sql,
  caller: Caller,
  type: DataTypeRow | undefined,
  text: string,
  now: Temporal.Instant,
): Fragment {
  const refuse = (message: string) => dataErrors.badQuery({ message, fields: { filter: [message] } })
  return rowFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    late: undefined,
    refuse,
    fieldOf(name): FilterField {
      const own = Object.hasOwn(columns, name) ? columns[name] : undefined
      if (own) return { kind: own[0], value: sql`data_records.${sql(own[1])}` }
      if (type && !type.fields.some(({ id }) => id === name))
        throw refuse(`${name} is not a field of the data type ${type.name}`)
      return { kind: "json", value: sql`(data_records."values"->${name}::text)` }
    },
  })
}
