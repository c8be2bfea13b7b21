import { randomBytes } from "node:crypto"
import type { Config } from "#core/config.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { hasOrganization, makeOperator } from "../../organization/organizations/index.ts"
import { insertAccount, setOrigin } from "../../people/accounts/index.ts"
import { createOrganization } from "./create-organization.ts"

export interface FirstOwner {
  email: string
  /** Only when it was generated: shown once at the first start. */
  generatedPassword: string | undefined
}

const firstOrganizationLock = 7_270_117_003

/** Makes the first organization and its owner when there is none yet. Undefined when there is. */
export async function ensureFirstOrganization(sql: Pool, config: Config): Promise<FirstOwner | undefined> {
  if (await hasOrganization(sql)) return undefined
  return inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${firstOrganizationLock})`
    if (await hasOrganization(tx)) return undefined
    const email = config.owner.email ?? "owner@fieldway.local"
    const generatedPassword = config.owner.password ? undefined : generatePassword()
    const password = config.owner.password ?? generatedPassword ?? ""
    const account = await insertAccount(tx, { email, password })
    const { organizationId } = await createOrganization(tx, {
      name: config.owner.organizationName ?? "My organization",
      owner: { accountId: account.id, email: account.email, name: "Owner" },
    })
    await setOrigin(tx, account.id, organizationId)
    await makeOperator(tx, organizationId)
    return { email: account.email, generatedPassword }
  })
}

/** Letters, digits and a symbol, so that any built-in policy takes it. */
function generatePassword(): string {
  return `${randomBytes(9).toString("base64url").replace(/[-_]/g, "x")}Aa1!`
}
