import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { Field } from "./field.ts"
import type { DataTypeRow } from "./queries.ts"

/** What happens to stored values that a changed field refuses or wants in another form. */
export type Repair = "keep" | "convert" | "default" | "clear"

export interface FieldImpact {
  fieldId: string
  title: string
  broken: number
  convertible: number
  choices: Repair[]
  examples: { dataId: string; value: unknown; reason: string }[]
}

export interface Impact {
  records: number
  broken: number
  convertible: number
  fields: FieldImpact[]
}

type TypeId = Pick<DataTypeRow, "id">

/** What uses data types. Records and flows build on them, so app.ts passes it in. */
export interface TypeUses {
  records: RecordsOfType
  /** The name of a flow with the type, if any. */
  findFlowWithType(tx: Tx, caller: Caller, typeId: string): Promise<string | undefined>
}

/** What a change of a type does to its records. */
export interface RecordsOfType {
  hasAny(tx: Tx, caller: Caller, type: TypeId): Promise<boolean>
  /**
   * Reads every record of the type once, in batches, and returns how its values fare under the changed fields.
   * With `repairs` it also rewrites them, in the transaction that changes the type; the lock on the type
   * keeps writers out meanwhile.
   */
  judge(
    tx: Tx,
    caller: Caller,
    type: TypeId,
    fields: readonly Field[],
    repairs: Readonly<Record<string, Repair>> | undefined,
  ): Promise<Impact>
  /** Takes fields out of every record of the type. */
  removeValues(tx: Tx, caller: Caller, type: TypeId, fieldIds: readonly string[]): Promise<void>
  /** Recounts the values of fields whose counting began, ended, or may have missed earlier values. */
  recount(
    tx: Tx,
    caller: Caller,
    type: TypeId,
    before: readonly Field[],
    after: readonly Field[],
  ): Promise<void>
}

/** Fields whose stored values the change may no longer fit. Titles and the like are none of them. */
export function fieldsToJudge(before: readonly Field[], after: readonly Field[]): Field[] {
  return after.filter((field) => {
    if (field.primaryKey) return false
    const old = before.find((candidate) => candidate.id === field.id)
    if (!old) return true
    return (
      old.type !== field.type ||
      (field.required && !old.required) ||
      old.optionData.some((option) => field.type === "option" && !field.optionData.includes(option))
    )
  })
}
