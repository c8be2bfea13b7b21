import type { Id } from "#core/ids.ts"
import { permissionId } from "#core/permissions.ts"

export interface PolicySettings {
  minimumLength: number
  /** How many of lower case, upper case, digit and symbol must occur. */
  complexity: number
  /** Days; -1 never. */
  expiration: number
  expirationNotificationDays: number
  /** Days before the next change; -1 none. */
  minimumDuration: number
  accountLockout: number
  /** Minutes; -1 until somebody unlocks. */
  accountLockoutDuration: number
  passwordHistory: number
}

export interface Policy extends PolicySettings {
  id: Id<"password policy">
  organizationId: string
  name: string
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant | null
  updatedTime: Temporal.Instant | null
}

const rows: readonly [string, ...number[]][] = [
  ["Default Accounts", 8, 2, -1, 3, -1, 5, 30, 1],
  ["Standard Accounts", 9, 3, 90, 3, 1, 5, 5, 10],
  ["Administrative Accounts", 12, 3, 90, 3, 1, 5, 30, 10],
  ["Service Accounts", 15, 3, -1, 3, 1, 5, 5, 10],
  ["Robot Accounts", 15, 4, 14, 3, -1, 1, -1, 1],
]

/** The policies that every organization can use, the default one first. Their ids are derived from the names. */
export const builtInPolicies: readonly Policy[] = rows.map(([name, ...numbers]) => {
  const [minimumLength = 8, complexity = 2, expiration = -1, notify = 3, minimumDuration = -1] = numbers
  const [accountLockout = 5, accountLockoutDuration = 30, passwordHistory = 1] = numbers.slice(5)
  return {
    // Derived from the name like those of permissions, so that they are the same in every organization.
    id: permissionId(`password policy:${name}`) as Id<"password policy">,
    organizationId: "system",
    name,
    minimumLength,
    complexity,
    expiration,
    expirationNotificationDays: notify,
    minimumDuration,
    accountLockout,
    accountLockoutDuration,
    passwordHistory,
    createdBy: null,
    updatedBy: null,
    createdTime: null,
    updatedTime: null,
  }
})

export const defaultPolicy = builtInPolicies[0] as Policy

/**
 * An account has one password for all its organizations, so it obeys the strictest request of each setting.
 * Without any policy the default one holds.
 */
export function strictest(policies: readonly PolicySettings[]): PolicySettings {
  const first = policies[0]
  if (!first) return defaultPolicy
  const days = (values: readonly number[]) => {
    const limited = values.filter((value) => value >= 0)
    return limited.length > 0 ? Math.min(...limited) : -1
  }
  const all = (read: (policy: PolicySettings) => number) => policies.map(read)
  const durations = all((policy) => policy.accountLockoutDuration)
  const expiration = days(all((policy) => policy.expiration))
  return {
    minimumLength: Math.max(...all((policy) => policy.minimumLength)),
    complexity: Math.max(...all((policy) => policy.complexity)),
    expiration,
    expirationNotificationDays: Math.max(...all((policy) => policy.expirationNotificationDays)),
    minimumDuration: Math.max(...all((policy) => policy.minimumDuration)),
    accountLockout: Math.min(...all((policy) => policy.accountLockout)),
    accountLockoutDuration: durations.includes(-1) ? -1 : Math.max(...durations),
    passwordHistory: Math.max(...all((policy) => policy.passwordHistory)),
  }
}

/** What a password lacks, in words that say what to do; undefined when it is fine. */
export function weaknessOf(password: string, policy: PolicySettings): string | undefined {
  const length = [...password.normalize("NFKC")].length
  if (length < policy.minimumLength)
    return `The password must have at least ${policy.minimumLength} characters`
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}\s]/u]
  if (kinds.filter((kind) => kind.test(password)).length < policy.complexity)
    return `The password must contain ${policy.complexity === 4 ? "all" : `${policy.complexity}`} of: lower case, upper case, digit, symbol`
  return undefined
}

/** When a password that was set then expires; undefined for never. */
export function expiryOf(setTime: Temporal.Instant, policy: PolicySettings): Temporal.Instant | undefined {
  return policy.expiration < 0 ? undefined : setTime.add({ hours: 24 * policy.expiration })
}
