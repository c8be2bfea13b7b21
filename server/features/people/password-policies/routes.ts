import { type Static, Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { ListQuery, type PageLink, paginate, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { orNull, toT2 } from "#shared/wire-time.ts"
import { policyErrors, sendPolicyError } from "./errors.ts"
import type { Policy } from "./policy.ts"
import { findPolicy, insertPolicy, listPolicies, removePolicy, updatePolicy } from "./queries.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const settings = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  minimumLength: Type.Integer({ minimum: 6, maximum: 128 }),
  complexity: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: "Number of required kinds: lower case, upper case, digits, symbols",
  }),
  expiration: Type.Integer({ minimum: -1, maximum: 3650, description: "Days; -1: never" }),
  expirationNotificationDays: Type.Integer({ minimum: 0, maximum: 365 }),
  minimumDuration: Type.Integer({ minimum: -1, maximum: 365, description: "Days between changes; -1: none" }),
  accountLockout: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: "Wrong passwords before the account is locked",
  }),
  accountLockoutDuration: Type.Integer({
    minimum: -1,
    maximum: 525_600,
    description: "Minutes; -1: until an administrator unlocks the account",
  }),
  passwordHistory: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: "Previous passwords that cannot be reused",
  }),
}
const PolicyBody = Type.Object(settings, { title: "PasswordPolicyInput" })
const PolicySchema = Type.Object(
  {
    _id: IdSchema("password policy"),
    organizationId: Type.String(),
    ...settings,
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: NullableText,
    updatedTime: NullableText,
  },
  { title: "PasswordPolicy" },
)
const PolicyParams = Type.Object({ policyId: IdSchema("password policy") })
const Written = Type.Object({ status: Type.Literal(true), message: Type.String(), data: PolicySchema })
const Link = Type.Object({ url: NullableText, label: Type.String(), active: Type.Boolean() })
const NullableCount = Type.Union([Type.Integer(), Type.Null()])

/** What the owner of roles does for policies; wired in app.ts. */
export interface RolesOfPolicies {
  isPolicyUsed(tx: Tx, organizationId: string, policyId: string): Promise<boolean>
  /** Whoever has such a role is read again with the changed policy. */
  touchRolesOfPolicy(tx: Tx, organizationId: string, policyId: string): Promise<void>
}

export function passwordPolicyRoutes(app: App, roles: RolesOfPolicies): void {
  app.setErrorHandler(sendPolicyError)
  app.get("/password-policies", {
    config: { signedIn: true, scopedToken: ["view/role", "edit/role"] },
    schema: {
      operationId: "listPasswordPolicies",
      summary: "List the built-in password policies and those of the organization",
      querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(PolicySchema),
          links: Type.Object({
            first: Type.String(),
            last: Type.String(),
            prev: NullableText,
            next: NullableText,
          }),
          meta: Type.Object({
            current_page: Type.Integer(),
            from: NullableCount,
            last_page: Type.Integer(),
            links: Type.Array(Link),
            path: Type.String(),
            per_page: Type.Integer(),
            to: NullableCount,
            total: Type.Integer(),
          }),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const options = readPage(query, "passp", { default: 10 })
      const all = await listPolicies(sql, caller.organizationId)
      const rows = all.slice(options.offset, options.offset + options.limit).map(toWirePolicy)
      return { status: true as const, ...resourcePage(paginate(rows, all.length, options, address)) }
    },
  })

  app.get("/password-policy/:policyId", {
    config: { signedIn: true, scopedToken: ["view/role", "edit/role"] },
    schema: {
      operationId: "getPasswordPolicy",
      summary: "Get a password policy",
      params: PolicyParams,
      response: { 200: Type.Object({ status: Type.Literal(true), data: PolicySchema }) },
    },
    async handler({ sql, caller, params }) {
      const policy = await findPolicy(sql, caller.organizationId, params.policyId)
      if (!policy) throw policyErrors.notFound()
      return { status: true as const, data: toWirePolicy(policy) }
    },
  })

  app.post("/password-policies", {
    config: { permission: "edit/role" },
    schema: {
      operationId: "createPasswordPolicy",
      summary: "Create a password policy for roles",
      body: PolicyBody,
      response: { 200: Written },
    },
    async handler({ sql, caller, body, ip }) {
      check(body)
      const policy = await inTransaction(sql, async (tx) => {
        const id = newId<"password policy">()
        await refuseTakenName(() => insertPolicy(tx, caller, id, columnsOf(body)))
        await audit(tx, actorOf(caller, ip), {
          action: "password-policy.create",
          targetType: "password policy",
          targetId: id,
          targetName: body.name,
          after: body,
        })
        return findPolicy(tx, caller.organizationId, id)
      })
      return { status: true as const, message: "Data created", data: toWirePolicy(policy as Policy) }
    },
  })

  app.put("/password-policy/:policyId", {
    config: { permission: "edit/role" },
    schema: {
      operationId: "updatePasswordPolicy",
      summary: "Change a password policy of the organization",
      params: PolicyParams,
      body: PolicyBody,
      response: { 200: Written },
    },
    async handler({ sql, caller, params, body, ip }) {
      check(body)
      const policy = await inTransaction(sql, async (tx) => {
        const before = await ownPolicy(tx, caller.organizationId, params.policyId)
        await refuseTakenName(() => updatePolicy(tx, caller, before.id, columnsOf(body)))
        await roles.touchRolesOfPolicy(tx, caller.organizationId, before.id)
        const after = await findPolicy(tx, caller.organizationId, before.id)
        await audit(tx, actorOf(caller, ip), {
          action: "password-policy.update",
          targetType: "password policy",
          targetId: before.id,
          targetName: body.name,
          before: columnsOf(before),
          after: columnsOf(body),
        })
        return after
      })
      return { status: true as const, message: "Data updated", data: toWirePolicy(policy as Policy) }
    },
  })

  app.delete("/password-policy/:policyId", {
    config: { permission: "edit/role" },
    schema: {
      operationId: "deletePasswordPolicy",
      summary: "Delete a password policy that no role uses",
      params: PolicyParams,
      response: { 200: Written },
    },
    async handler({ sql, caller, params, ip }) {
      const policy = await inTransaction(sql, async (tx) => {
        const found = await ownPolicy(tx, caller.organizationId, params.policyId)
        if (await roles.isPolicyUsed(tx, caller.organizationId, found.id)) throw policyErrors.inUse()
        await removePolicy(tx, caller.organizationId, found.id)
        await audit(tx, actorOf(caller, ip), {
          action: "password-policy.delete",
          targetType: "password policy",
          targetId: found.id,
          targetName: found.name,
          before: columnsOf(found),
        })
        return found
      })
      return { status: true as const, message: "Data deleted", data: toWirePolicy(policy) }
    },
  })
}

async function ownPolicy(sql: Parameters<typeof findPolicy>[0], organizationId: string, policyId: string) {
  const policy = await findPolicy(sql, organizationId, policyId)
  if (!policy) throw policyErrors.notFound()
  if (policy.organizationId === "system") throw policyErrors.builtIn()
  return policy
}

function check(body: Static<typeof PolicyBody>): void {
  for (const field of ["expiration", "accountLockoutDuration"] as const)
    if (body[field] === 0)
      throw policyErrors.outOfRange({
        message: `${field} must be -1, or 1 or more`,
        fields: { [field]: ["must be -1 or 1 or more"] },
      })
}

function columnsOf(body: Static<typeof PolicyBody>) {
  return {
    name: readLine(body.name, "passp", "name"),
    minimumLength: body.minimumLength,
    complexity: body.complexity,
    expiration: body.expiration,
    expirationNotificationDays: body.expirationNotificationDays,
    minimumDuration: body.minimumDuration,
    accountLockout: body.accountLockout,
    accountLockoutDuration: body.accountLockoutDuration,
    passwordHistory: body.passwordHistory,
  }
}

async function refuseTakenName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "password_policies_name")
      throw policyErrors.nameTaken({ cause: error })
    throw error
  }
}

function toWirePolicy(policy: Policy) {
  const { id, createdTime, updatedTime, ...rest } = policy
  return {
    ...rest,
    _id: id,
    createdTime: orNull(createdTime, toT2),
    updatedTime: orNull(updatedTime, toT2),
  }
}

/** The page of this resource: links and meta beside the rows. */
function resourcePage<Row>(page: {
  data: Row[]
  first_page_url: string
  last_page_url: string
  prev_page_url: string | null
  next_page_url: string | null
  current_page: number
  from: number | null
  last_page: number
  links: PageLink[]
  path: string
  per_page: number
  to: number | null
  total: number
}) {
  const { data, first_page_url, last_page_url, prev_page_url, next_page_url, ...meta } = page
  const links = { first: first_page_url, last: last_page_url, prev: prev_page_url, next: next_page_url }
  return { data, links, meta }
}
