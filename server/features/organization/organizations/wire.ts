import type { Id } from "#core/ids.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { toWireCountry } from "./countries.ts"

export interface OrganizationRow {
  id: Id<"organization">
  number: number
  name: string
  status: string
  verifiedTime: Temporal.Instant | null
  profile: Record<string, unknown>
  countryCode: string | null
  currency: string
  timeZone: string
  language: string
  configuration: Record<string, unknown>
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** The fields of onboarding: null, not absent, in an organization that was created in another way. */
const failedProfile = {
  name: null,
  email: null,
  phoneNumber: null,
  numberOfUsers: null,
  industry: null,
  position: null,
  hub: null,
  flows: [],
  type: null,
}

/** Plans and billing do not exist here; their keys say "free, without a period" to clients that read them. */
export function toWireOrganization(row: OrganizationRow) {
  return {
    _id: row.id,
    user: { ...failedProfile, ...row.profile, companyName: row.name, country: row.countryCode },
    status: row.status,
    verifiedTime: orNull(row.verifiedTime, toT1),
    productId: "prod_free",
    productName: "Free",
    curPeriodStartTime: null,
    curPeriodEndTime: null,
    eligible: true,
    language: row.language,
    currency: row.currency,
    timeZone: row.timeZone,
    configuration: row.configuration,
    customerId: { idr: null, usd: null },
    country: toWireCountry(row.countryCode),
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}
