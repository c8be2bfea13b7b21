import { newToken } from "#core/access/token.ts"
import { inTransaction, json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { insertAccount } from "../features/people/accounts/index.ts"
import { createOrganization } from "../features/platform/onboarding/index.ts"
import type { FlowPage } from "../features/work/flows/index.ts"

/** Builders fill in everything that a test does not speak about. Names and e-mails never repeat. */
let count = 0
const unique = (word: string) => `${word}-${process.pid}-${++count}`

export interface Person {
  id: Id<"user">
  organizationId: Id<"organization">
  accountId: Id<"account">
  email: string
  roleId: Id<"role">
  password: string | undefined
}

export interface Organization {
  id: Id<"organization">
  name: string
  owner: Person
}

export interface PasswordOptions {
  /** Hashing costs time: only people who sign in by password have one. */
  password?: string
}

export async function anOrganization(
  sql: Pool,
  options: { name?: string; timeZone?: string; language?: string } & PasswordOptions = {},
): Promise<Organization> {
  const name = options.name ?? unique("organization")
  return inTransaction(sql, async (tx) => {
    const account = await insertAccount(tx, {
      email: `${unique("owner")}@fieldway.test`,
      password: options.password,
    })
    const made = await createOrganization(tx, {
      name,
      owner: { accountId: account.id, email: account.email, name: "Owner" },
      ...options,
    })
    await tx`update accounts set origin_organization_id = ${made.organizationId} where id = ${account.id}`
    const owner: Person = {
      id: made.ownerId,
      organizationId: made.organizationId,
      accountId: account.id,
      email: account.email,
      roleId: made.ownerRoleId,
      password: options.password,
    }
    return { id: made.organizationId, name, owner }
  })
}

export interface UserOptions extends PasswordOptions {
  org: Organization
  email?: string
  name?: string
  hubs?: readonly { id: Id<"hub"> }[]
  teams?: readonly { id: Id<"team"> }[]
  /** A default role; without it a custom role with exactly `permissions`. */
  role?: "owner" | "admin" | "planner" | "field user"
  permissions?: readonly Permission[]
  permissionDetails?: readonly Record<string, unknown>[]
  status?: "active" | "inactive" | "pending" | "disabled"
}

export async function aUser(sql: Pool, options: UserOptions): Promise<Person> {
  return inTransaction(sql, async (tx) => {
    const organizationId = options.org.id
    const roleId = options.role
      ? (
          await tx<
            { id: Id<"role"> }[]
          >`select id from roles where organization_id = ${organizationId} and name = ${options.role} and is_default`
        )[0]?.id
      : newId<"role">()
    if (!roleId) throw new Error(`no role ${options.role}`)
    if (!options.role) {
      await tx`
        insert into roles (organization_id, id, name, permission_names, permission_details)
        values (${organizationId}, ${roleId}, ${unique("role")}, ${[...(options.permissions ?? [])]}, ${json(tx, options.permissionDetails ?? [])})`
    }
    const account = await insertAccount(tx, {
      email: options.email ?? `${unique("person")}@fieldway.test`,
      password: options.password,
    })
    if (account.isNew)
      await tx`update accounts set origin_organization_id = ${organizationId} where id = ${account.id}`
    const id = newId<"user">()
    await tx`
      insert into users (organization_id, id, account_id, email, name, status, role_id)
      values (${organizationId}, ${id}, ${account.id}, ${account.email}, ${options.name ?? unique("Person")}, ${options.status ?? "active"}, ${roleId})`
    for (const hub of options.hubs ?? [])
      await tx`insert into user_hubs values (${organizationId}, ${id}, ${hub.id})`
    for (const team of options.teams ?? [])
      await tx`insert into user_teams values (${organizationId}, ${id}, ${team.id})`
    return {
      id,
      organizationId,
      accountId: account.id,
      email: account.email,
      roleId,
      password: options.password,
    }
  })
}

export async function aHub(
  sql: Pool,
  options: { org: Organization; name?: string; lat?: number; lng?: number; timeZone?: string },
): Promise<{ id: Id<"hub">; name: string }> {
  const hub = { id: newId<"hub">(), name: options.name ?? unique("Hub") }
  await sql`
    insert into hubs (organization_id, id, name, address, lat, lng, time_zone)
    values (${options.org.id}, ${hub.id}, ${hub.name}, 'Somewhere 1', ${options.lat ?? 52.1}, ${options.lng ?? 4.3}, ${options.timeZone ?? null})`
  return hub
}

export async function aTeam(
  sql: Pool,
  options: { org: Organization; hub: { id: string }; name?: string },
): Promise<{ id: Id<"team">; name: string }> {
  const team = { id: newId<"team">(), name: options.name ?? unique("Team") }
  await sql`insert into teams (organization_id, id, hub_id, name) values (${options.org.id}, ${team.id}, ${options.hub.id}, ${team.name})`
  return team
}

const simplePages: FlowPage[] = [
  {
    id: "page0",
    components: [
      {
        id: "siteName",
        component: "input",
        type: "String",
        title: "Site name",
        required: true,
        showAs: "title",
      },
    ],
  },
]

export async function aFlow(
  sql: Pool,
  options: { org: Organization; name?: string; pages?: FlowPage[]; configurations?: unknown[] },
): Promise<{ id: Id<"flow">; name: string }> {
  const flow = { id: newId<"flow">(), name: options.name ?? unique("Flow") }
  await sql`
    insert into flows (organization_id, id, name, pages, configurations, order_index, created_by)
    values (${options.org.id}, ${flow.id}, ${flow.name}, ${json(sql, options.pages ?? simplePages)}, ${json(sql, options.configurations ?? [])}, 1, ${options.org.owner.email})`
  return flow
}

const keyField = { id: "dataId", title: "Key", type: "primaryKey", primaryKey: true, required: true }

export interface DataTypeOptions {
  org: Organization
  name?: string
  fields?: readonly Record<string, unknown>[]
  commonData?: boolean
  limitUser?: boolean
  /** Address and key of an external service that the records come from. */
  external?: { url: string; key?: string }
}

export async function aDataType(
  sql: Pool,
  options: DataTypeOptions,
): Promise<{ id: Id<"data-type">; name: string }> {
  const type = { id: newId<"data-type">(), name: options.name ?? unique("Type") }
  const fields = (options.fields ?? [keyField, { id: "note", title: "Note", type: "text" }]).map((field) => ({
    description: null,
    default: null,
    optionData: [],
    required: false,
    show: true,
    visible: true,
    ...field,
    primaryKey: field.id === "dataId",
    ...(field.id === "dataId" ? { type: "primaryKey", required: true } : {}),
  }))
  const counted = fields.flatMap((field: Record<string, unknown>) =>
    field.type === "option" || field.type === "boolean" ? [String(field.id)] : [],
  )
  await sql`
    insert into data_types (organization_id, id, name, fields, common_data, limit_user, provider, provider_config, counted_fields, created_by)
    values (${options.org.id}, ${type.id}, ${type.name}, ${json(sql, fields)}, ${options.commonData ?? false}, ${options.limitUser ?? false},
      ${options.external ? "external-api" : "internal"}, ${options.external ? json(sql, options.external) : null}, ${counted}, ${options.org.owner.email})`
  return type
}

/** A record as if somebody had made it before the test. Values are not checked. */
export async function aRecord(
  sql: Pool,
  options: {
    org: Organization
    type: { id: Id<"data-type"> }
    hub?: { id: Id<"hub"> }
    dataId?: string
    values?: Record<string, unknown>
    limitUser?: readonly Person[]
  },
): Promise<{ id: Id<"data-record">; dataId: string }> {
  const record = { id: newId<"data-record">(), dataId: options.dataId ?? unique("record") }
  const limit = options.limitUser?.map((person) => person.email) ?? null
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", limit_user, created_by, created_time, updated_time)
    values (${options.org.id}, ${record.id}, ${options.type.id}, ${options.hub?.id ?? null}, ${record.dataId}, ${json(sql, options.values ?? {})},
      ${limit}, ${options.org.owner.email}, now(), now())`
  return record
}

export interface TaskOptions {
  org: Organization
  hub: { id: Id<"hub"> }
  flow?: { id: Id<"flow">; name: string }
  status?: TaskStatus
  assignee?: readonly Person[]
  title?: string
  values?: Record<string, unknown>
  startTime?: Temporal.Instant
  endTime?: Temporal.Instant
  createdTime?: Temporal.Instant
  doneTime?: Temporal.Instant
  refId?: string
}

/** A task as if it had been made and worked on before the test; ONGOING and DONE ones have somebody. */
export async function aTask(sql: Pool, options: TaskOptions): Promise<{ id: Id<"task"> }> {
  const now = Temporal.Now.instant()
  const flow = options.flow ?? (await aFlow(sql, { org: options.org }))
  const status = options.status ?? (options.assignee?.length ? "ONGOING" : "UNASSIGNED")
  const assignee = (options.assignee ?? (status === "UNASSIGNED" ? [] : [options.org.owner])).map(
    (person) => person.email,
  )
  const id = newId<"task">()
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time,
      updated_time, created_by, created_from, done_by, done_time, order_index, ref_id, "values", attributes)
    values (${options.org.id}, ${id}, ${options.hub.id}, ${flow.id}, ${flow.name}, ${status}, ${options.title ?? "Task"}, ${assignee},
      ${options.startTime ?? now.subtract({ hours: 1 })}, ${options.endTime ?? now.add({ hours: 23 })}, ${options.createdTime ?? now}, ${now},
      ${options.org.owner.email}, 'API', ${status === "DONE" ? (assignee[0] ?? null) : null}, ${status === "DONE" ? (options.doneTime ?? now) : null},
      ${Date.now()}, ${options.refId ?? null}, ${json(sql, options.values ?? { siteName: options.title ?? "Task" })}, '{}')`
  return { id }
}

/** An import of tasks that has ended, as the monitoring shows it. */
export async function anImport(
  sql: Pool,
  options: { org: Organization; filename?: string },
): Promise<{ id: Id<"import"> }> {
  const id = newId<"import">()
  const { owner } = options.org
  await sql`
    insert into imports (organization_id, id, type, mode, filename, content_hash, rows_key, total_rows, total_chunks, status,
      user_id, created_by, created_time, updated_time)
    values (${options.org.id}, ${id}, 'task', 'create', ${options.filename ?? "rows.csv"}, ${Buffer.from(id)}, ${`${options.org.id}/imports/${id}/rows`},
      1, 1, 'success', ${owner.id}, ${owner.email}, now(), now())`
  return { id }
}

/** A personal access token, with the text that is sent as a bearer. */
export async function aToken(
  sql: Pool,
  options: { person: Person; scopes?: readonly Permission[]; expiresAt?: Temporal.Instant },
): Promise<{ id: string; token: string }> {
  const { organizationId } = options.person
  const { token, hash } = newToken(organizationId)
  const id = newId<"token">()
  await sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, name, scopes, expires_at)
    values (${organizationId}, ${hash}, ${id}, ${options.person.id}, 'personal', ${unique("token")},
      ${options.scopes ? [...options.scopes] : null}, ${options.expiresAt ?? Temporal.Now.instant().add({ hours: 24 })})`
  return { id, token }
}

export async function aPasswordPolicy(
  sql: Pool,
  options: { org: Organization; accountLockout?: number; passwordHistory?: number; expiration?: number },
): Promise<{ id: string }> {
  const id = newId<"password policy">()
  await sql`
    insert into password_policies (organization_id, id, name, minimum_length, complexity, expiration,
      expiration_notification_days, minimum_duration, account_lockout, account_lockout_duration, password_history)
    values (${options.org.id}, ${id}, ${unique("policy")}, 8, 2, ${options.expiration ?? -1}, 3, -1,
      ${options.accountLockout ?? 5}, 30, ${options.passwordHistory ?? 1})`
  return { id }
}

export async function anExportConfig(
  sql: Pool,
  options: { org: Organization; flow?: { id: Id<"flow"> } },
): Promise<{ id: Id<"exportConfig">; name: string }> {
  const flow = options.flow ?? (await aFlow(sql, { org: options.org }))
  const config = { id: newId<"exportConfig">(), name: unique("Export") }
  const fields = [{ id: "_id", component: "input", title: "ID" }]
  await sql`
    insert into export_configs (organization_id, id, name, collection, flow_ids, fields)
    values (${options.org.id}, ${config.id}, ${config.name}, 'task', ${[flow.id]}, ${json(sql, fields)})`
  return config
}
