import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { type DataTypeRow, holdDataTypes } from "../data-types/index.ts"
import { dataErrors } from "./errors.ts"
import type { NewRecordBody } from "./schemas.ts"
import { type Outcome, type WriteOptions, writeRecords } from "./write-records.ts"

/** Writes records of one type. Refuses all of them when the type is not there or not stored here. `look` may refuse too. */
export async function writeOfType(
  tx: Tx,
  caller: Caller,
  dataTypeId: string,
  bodies: readonly NewRecordBody[],
  { look, ...options }: WriteOptions & { look?: (type: DataTypeRow) => void },
): Promise<Outcome[]> {
  const [type] = await holdDataTypes(tx, caller, [dataTypeId])
  if (!type) throw dataErrors.unknownType({ fields: { dataTypeId: ["does not exist"] } })
  if (type.provider === "external-api") throw dataErrors.external()
  look?.(type)
  return writeRecords(tx, caller, type, bodies, options)
}

/** Writes records of any types, each with its own outcome, in the order given. */
export async function writeOfTypes(
  tx: Tx,
  caller: Caller,
  bodies: readonly NewRecordBody[],
  options: WriteOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(bodies.length)
  const byType = Map.groupBy(bodies.keys(), (index) => bodies[index]?.dataTypeId.toLowerCase() ?? "")
  const types = await holdDataTypes(tx, caller, [...byType.keys()])
  for (const [dataTypeId, indexes] of byType) {
    const type = types.find((candidate) => candidate.id === dataTypeId)
    const refusal = !type
      ? { code: "033", reason: "does not exist" }
      : type.provider === "external-api"
        ? { code: "032", reason: "comes from an external service and is read-only" }
        : undefined
    const rows = indexes.flatMap((index) => bodies[index] ?? [])
    const written =
      type && !refusal
        ? await writeRecords(tx, caller, type, rows, options)
        : rows.map(() => ({
            problems: [{ fieldId: "dataTypeId", title: "dataTypeId", code: "034", reason: "", ...refusal }],
          }))
    for (const [position, index] of indexes.entries()) {
      const outcome = written[position]
      if (outcome) outcomes[index] = outcome
    }
  }
  return outcomes
}
