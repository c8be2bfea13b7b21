import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT3 } from "#shared/wire-time.ts"
import type { Field } from "./field.ts"

export type Provider = "internal" | "external-api"

export interface ProviderConfig {
  url: string
}

export interface DataTypeRow {
  id: Id<"data-type">
  organizationId: Id<"organization">
  name: string
  fields: Field[]
  limitUser: boolean
  commonData: boolean
  provider: Provider
  providerConfig: ProviderConfig | null
  /** What the external service is called with, sealed. */
  providerKey: Buffer | null
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

type Tenant = Pick<Caller, "organizationId">

export function dataTypeColumns(sql: Sql): Fragment {
  return sql`data_types.id, data_types.organization_id, data_types.name, data_types.fields, data_types.limit_user,
    data_types.common_data, data_types.provider, data_types.provider_config, data_types.provider_key, data_types.created_by,
    data_types.updated_by, data_types.created_time, data_types.updated_time`
}

export function listDataTypes(
  sql: Sql,
  caller: Tenant,
  providers: readonly string[],
  page: PageOptions,
): Promise<Listed<DataTypeRow>> {
  const condition = sql`organization_id = ${caller.organizationId} and provider = any (${providers as string[]})`
  return listRows<DataTypeRow>(sql, page, {
    columns: dataTypeColumns(sql),
    from: sql`from data_types where ${condition}`,
    order: sql`created_time desc, id desc`,
  })
}

export async function findDataType(
  sql: Sql,
  caller: Tenant,
  dataTypeId: string,
): Promise<DataTypeRow | undefined> {
  const rows = await findDataTypes(sql, caller, [dataTypeId])
  return rows[0]
}

export function findDataTypes(
  sql: Sql,
  caller: Tenant,
  dataTypeIds: readonly string[],
): Promise<DataTypeRow[]> {
  return sql<DataTypeRow[]>`
    select ${dataTypeColumns(sql)} from data_types
    where organization_id = ${caller.organizationId} and id = any (${dataTypeIds.map((id) => id.toLowerCase())})`.reusePlan()
}

export async function findDataTypeByName(
  sql: Sql,
  caller: Tenant,
  name: string,
): Promise<DataTypeRow | undefined> {
  const rows = await sql<DataTypeRow[]>`
    select ${dataTypeColumns(sql)} from data_types where organization_id = ${caller.organizationId} and name = ${name}`
  return rows[0]
}

/** Types whose records somebody is writing: they cannot change or go until they have committed. */
export function holdDataTypes(
  tx: Tx,
  caller: Tenant,
  dataTypeIds: readonly string[],
): Promise<DataTypeRow[]> {
  return tx<DataTypeRow[]>`
    select ${dataTypeColumns(tx)} from data_types
    where organization_id = ${caller.organizationId} and id = any (${dataTypeIds.map((id) => id.toLowerCase())})
    order by id for share`.reusePlan()
}

/** The type for changing it: waits for writers of its records, and keeps new ones out. */
export async function lockDataType(
  tx: Tx,
  caller: Tenant,
  dataTypeId: string,
): Promise<DataTypeRow | undefined> {
  const rows = await tx<DataTypeRow[]>`
    select ${dataTypeColumns(tx)} from data_types
    where organization_id = ${caller.organizationId} and id = ${dataTypeId.toLowerCase()} for update`
  return rows[0]
}

export interface NewDataType {
  id: Id<"data-type">
  name: string
  fields: readonly Field[]
  limitUser: boolean
  commonData: boolean
  provider: Provider
  providerConfig: ProviderConfig | null
  providerKey: Buffer | null
}

/** Undefined when the name is taken. */
export async function insertDataType(
  tx: Tx,
  caller: Caller,
  type: NewDataType,
): Promise<DataTypeRow | undefined> {
  const rows = await tx<DataTypeRow[]>`
    insert into data_types (organization_id, id, name, fields, limit_user, common_data, provider, provider_config, provider_key,
      counted_fields, created_by)
    values (${caller.organizationId}, ${type.id}, ${type.name}, ${json(tx, type.fields)}, ${type.limitUser},
      ${type.commonData}, ${type.provider}, ${type.providerConfig ? json(tx, type.providerConfig) : null},
      ${type.providerKey}, ${countedFields(type.fields)}, ${caller.email})
    on conflict (organization_id, name) do nothing
    returning ${dataTypeColumns(tx)}`
  return rows[0]
}

export async function updateDataTypeRow(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
): Promise<DataTypeRow | undefined> {
  const rows = await tx<DataTypeRow[]>`
    update data_types set name = ${type.name}, fields = ${json(tx, type.fields)}, limit_user = ${type.limitUser},
      provider_config = ${type.providerConfig ? json(tx, type.providerConfig) : null}, provider_key = ${type.providerKey},
      counted_fields = ${countedFields(type.fields)}, updated_by = ${caller.email}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${type.id}
    returning ${dataTypeColumns(tx)}`
  return rows[0]
}

/** Fields with few values: their stored counts serve filters that match a large part of the records. */
export function countedFields(fields: readonly Field[]): string[] {
  return fields.filter((field) => field.type === "option" || field.type === "boolean").map(({ id }) => id)
}

export function toWireDataType(row: DataTypeRow) {
  return {
    _id: row.id,
    name: row.name,
    fields: row.fields,
    limitUser: row.limitUser,
    commonData: row.commonData,
    provider: row.provider,
    providerConfig: row.providerConfig && {
      url: row.providerConfig.url,
      hasKey: row.providerKey !== null,
    },
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT3(row.createdTime),
    updatedTime: toT3(row.updatedTime),
  }
}
