import { newToken } from "#core/access/token.ts"
import { inTransaction, json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { createOrganization } from "../../features/organization/organizations/index.ts"
import { insertAccount } from "../../features/people/accounts/index.ts"
import type { FlowPage } from "../../features/work/flows/index.ts"

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

export interface PasswordWish {
  /** Hashing costs time: only people who sign in by password have one. */
  password?: string
}

export async function anOrganization(
  sql: Pool,
  wish: { name?: string; timeZone?: string; language?: string } & PasswordWish = {},
): Promise<Organization> {
  const name = wish.name ?? unique("organization")
  return inTransaction(sql, async (tx) => {
    const account = await insertAccount(tx, {
      email: `${unique("owner")}@fieldway.test`,
      password: wish.password,
    })
    const made = await createOrganization(tx, {
      name,
      owner: { accountId: account.id, email: account.email, name: "Owner" },
      ...wish,
    })
    await tx`update accounts set origin_organization_id = ${made.organizationId} where id = ${account.id}`
    const owner: Person = {
      id: made.ownerId,
      organizationId: made.organizationId,
      accountId: account.id,
      email: account.email,
      roleId: made.ownerRoleId,
      password: wish.password,
    }
    return { id: made.organizationId, name, owner }
  })
}

export interface UserWish extends PasswordWish {
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

export async function aUser(sql: Pool, wish: UserWish): Promise<Person> {
  return inTransaction(sql, async (tx) => {
    const organizationId = wish.org.id
    const roleId = wish.role
      ? (
          await tx<
            { id: Id<"role"> }[]
          >`select id from roles where organization_id = ${organizationId} and name = ${wish.role} and is_default`
        )[0]?.id
      : newId<"role">()
    if (!roleId) throw new Error(`no role ${wish.role}`)
    if (!wish.role) {
      await tx`
        insert into roles (organization_id, id, name, permission_names, permission_details)
        values (${organizationId}, ${roleId}, ${unique("role")}, ${[...(wish.permissions ?? [])]}, ${json(tx, wish.permissionDetails ?? [])})`
    }
    const account = await insertAccount(tx, {
      email: wish.email ?? `${unique("person")}@fieldway.test`,
      password: wish.password,
    })
    if (account.isNew)
      await tx`update accounts set origin_organization_id = ${organizationId} where id = ${account.id}`
    const id = newId<"user">()
    await tx`
      insert into users (organization_id, id, account_id, email, name, status, role_id)
      values (${organizationId}, ${id}, ${account.id}, ${account.email}, ${wish.name ?? unique("Person")}, ${wish.status ?? "active"}, ${roleId})`
    for (const hub of wish.hubs ?? [])
      await tx`insert into user_hubs values (${organizationId}, ${id}, ${hub.id})`
    for (const team of wish.teams ?? [])
      await tx`insert into user_teams values (${organizationId}, ${id}, ${team.id})`
    return {
      id,
      organizationId,
      accountId: account.id,
      email: account.email,
      roleId,
      password: wish.password,
    }
  })
}

export async function aHub(
  sql: Pool,
  wish: { org: Organization; name?: string; lat?: number; lng?: number; timeZone?: string },
): Promise<{ id: Id<"hub">; name: string }> {
  const hub = { id: newId<"hub">(), name: wish.name ?? unique("Hub") }
  await sql`
    insert into hubs (organization_id, id, name, address, lat, lng, time_zone)
    values (${wish.org.id}, ${hub.id}, ${hub.name}, 'Somewhere 1', ${wish.lat ?? 52.1}, ${wish.lng ?? 4.3}, ${wish.timeZone ?? null})`
  return hub
}

export async function aTeam(
  sql: Pool,
  wish: { org: Organization; hub: { id: string }; name?: string },
): Promise<{ id: Id<"team">; name: string }> {
  const team = { id: newId<"team">(), name: wish.name ?? unique("Team") }
  await sql`insert into teams (organization_id, id, hub_id, name) values (${wish.org.id}, ${team.id}, ${wish.hub.id}, ${team.name})`
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
  wish: { org: Organization; name?: string; pages?: FlowPage[]; configurations?: unknown[] },
): Promise<{ id: Id<"flow">; name: string }> {
  const flow = { id: newId<"flow">(), name: wish.name ?? unique("Flow") }
  await sql`
    insert into flows (organization_id, id, name, pages, configurations, order_index, created_by)
    values (${wish.org.id}, ${flow.id}, ${flow.name}, ${json(sql, wish.pages ?? simplePages)}, ${json(sql, wish.configurations ?? [])}, 1, ${wish.org.owner.email})`
  return flow
}

const keyField = { id: "dataId", title: "Key", type: "primaryKey", primaryKey: true, required: true }

export interface DataTypeWish {
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
  wish: DataTypeWish,
): Promise<{ id: Id<"data-type">; name: string }> {
  const type = { id: newId<"data-type">(), name: wish.name ?? unique("Type") }
  const fields = (wish.fields ?? [keyField, { id: "note", title: "Note", type: "text" }]).map((field) => ({
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
    values (${wish.org.id}, ${type.id}, ${type.name}, ${json(sql, fields)}, ${wish.commonData ?? false}, ${wish.limitUser ?? false},
      ${wish.external ? "external-api" : "internal"}, ${wish.external ? json(sql, wish.external) : null}, ${counted}, ${wish.org.owner.email})`
  return type
}

/** A record as if somebody had made it before the test. Values are not checked. */
export async function aRecord(
  sql: Pool,
  wish: {
    org: Organization
    type: { id: Id<"data-type"> }
    hub?: { id: Id<"hub"> }
    dataId?: string
    values?: Record<string, unknown>
    limitUser?: readonly Person[]
  },
): Promise<{ id: Id<"data-record">; dataId: string }> {
  const record = { id: newId<"data-record">(), dataId: wish.dataId ?? unique("record") }
  const limit = wish.limitUser?.map((person) => person.email) ?? null
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", limit_user, created_by, created_time, updated_time)
    values (${wish.org.id}, ${record.id}, ${wish.type.id}, ${wish.hub?.id ?? null}, ${record.dataId}, ${json(sql, wish.values ?? {})},
      ${limit}, ${wish.org.owner.email}, now(), now())`
  return record
}

export interface TaskWish {
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
export async function aTask(sql: Pool, wish: TaskWish): Promise<{ id: Id<"task"> }> {
  const now = Temporal.Now.instant()
  const flow = wish.flow ?? (await aFlow(sql, { org: wish.org }))
  const status = wish.status ?? (wish.assignee?.length ? "ONGOING" : "UNASSIGNED")
  const assignee = (wish.assignee ?? (status === "UNASSIGNED" ? [] : [wish.org.owner])).map(
    (person) => person.email,
  )
  const id = newId<"task">()
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time,
      updated_time, created_by, created_from, done_by, done_time, order_index, ref_id, "values", attributes)
    values (${wish.org.id}, ${id}, ${wish.hub.id}, ${flow.id}, ${flow.name}, ${status}, ${wish.title ?? "Task"}, ${assignee},
      ${wish.startTime ?? now.subtract({ hours: 1 })}, ${wish.endTime ?? now.add({ hours: 23 })}, ${wish.createdTime ?? now}, ${now},
      ${wish.org.owner.email}, 'API', ${status === "DONE" ? (assignee[0] ?? null) : null}, ${status === "DONE" ? (wish.doneTime ?? now) : null},
      ${Date.now()}, ${wish.refId ?? null}, ${json(sql, wish.values ?? { siteName: wish.title ?? "Task" })}, '{}')`
  return { id }
}

/** An import of tasks that has ended, as the monitoring shows it. */
export async function anImport(
  sql: Pool,
  wish: { org: Organization; filename?: string },
): Promise<{ id: Id<"import"> }> {
  const id = newId<"import">()
  const { owner } = wish.org
  await sql`
    insert into imports (organization_id, id, type, mode, filename, content_hash, rows_key, total_rows, total_chunks, status,
      user_id, created_by, created_time, updated_time)
    values (${wish.org.id}, ${id}, 'task', 'create', ${wish.filename ?? "rows.csv"}, ${Buffer.from(id)}, ${`${wish.org.id}/imports/${id}/rows`},
      1, 1, 'success', ${owner.id}, ${owner.email}, now(), now())`
  return { id }
}

/** A personal access token, with the text that is sent as a bearer. */
export async function aToken(
  sql: Pool,
  wish: { person: Person; scopes?: readonly Permission[]; expiresAt?: Temporal.Instant },
): Promise<{ id: string; token: string }> {
  const { organizationId } = wish.person
  const { token, hash } = newToken(organizationId)
  const id = newId<"token">()
  await sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, name, scopes, expires_at)
    values (${organizationId}, ${hash}, ${id}, ${wish.person.id}, 'personal', ${unique("token")},
      ${wish.scopes ? [...wish.scopes] : null}, ${wish.expiresAt ?? Temporal.Now.instant().add({ hours: 24 })})`
  return { id, token }
}

export async function aPasswordPolicy(
  sql: Pool,
  wish: { org: Organization; accountLockout?: number; passwordHistory?: number; expiration?: number },
): Promise<{ id: string }> {
  const id = newId<"password policy">()
  await sql`
    insert into password_policies (organization_id, id, name, minimum_length, complexity, expiration,
      expiration_notification_days, minimum_duration, account_lockout, account_lockout_duration, password_history)
    values (${wish.org.id}, ${id}, ${unique("policy")}, 8, 2, ${wish.expiration ?? -1}, 3, -1,
      ${wish.accountLockout ?? 5}, 30, ${wish.passwordHistory ?? 1})`
  return { id }
}

export async function anExportConfig(
  sql: Pool,
  wish: { org: Organization; flow?: { id: Id<"flow"> } },
): Promise<{ id: Id<"exportConfig">; name: string }> {
  const flow = wish.flow ?? (await aFlow(sql, { org: wish.org }))
  const config = { id: newId<"exportConfig">(), name: unique("Export") }
  const fields = [{ id: "_id", component: "input", title: "ID" }]
  await sql`
    insert into export_configs (organization_id, id, name, collection, flow_ids, fields)
    values (${wish.org.id}, ${config.id}, ${config.name}, 'task', ${[flow.id]}, ${json(sql, fields)})`
  return config
}
