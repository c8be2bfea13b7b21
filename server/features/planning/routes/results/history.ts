import { type Static, Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { toT2 } from "#shared/wire-time.ts"
import type { ResultRow } from "../queries.ts"

export const HistorySchema = Type.Object({
  _id: Type.String(),
  resultId: Type.String(),
  organizationId: Type.String(),
  action: Type.String({ description: "move, sequence or reset" }),
  description: Type.String(),
  visits: Type.Array(Type.Object({ visitId: Type.String(), visitName: Type.String() })),
  vehicleFrom: Type.String({ description: "Name of a vehicle or dropped" }),
  vehicleTo: Type.String(),
  createdFrom: Type.String(),
  createdType: Type.String(),
  createdBy: Type.String({ description: "Name of the person" }),
  version: Type.Integer(),
  createdTime: Type.String(),
  updatedTime: Type.String(),
})

/** What was changed by hand, newest first. */
export async function listHistory(sql: Sql, row: ResultRow): Promise<Static<typeof HistorySchema>[]> {
  const entries = await sql<
    (Omit<Static<typeof HistorySchema>, "_id" | "createdTime" | "updatedTime"> & {
      id: string
      createdTime: Temporal.Instant
    })[]
  >`
    select id, result_id, organization_id, action, description, visits, vehicle_from, vehicle_to, created_from, created_type,
      created_by, version, created_time
    from routing_result_histories where organization_id = ${row.organizationId} and result_id = ${row.id} order by version desc`
  return entries.map(({ id, createdTime, ...entry }) => ({
    _id: id,
    ...entry,
    createdTime: toT2(createdTime),
    updatedTime: toT2(createdTime),
  }))
}
