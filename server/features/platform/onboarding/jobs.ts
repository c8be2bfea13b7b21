import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { removePending } from "../../organization/organizations/index.ts"
import { noteExpiryNotice, removeOrphans } from "../../people/accounts/index.ts"
import { expiryOf, policyOfAccount } from "../../people/password-policies/index.ts"
import { sendResetLink } from "./forgotten-password.ts"
import { sendVerificationAgain } from "./register.ts"

const mailContext = ({ config }: JobContext) => ({
  publicUrl: config.publicUrl,
  hasMailServer: config.mailUrl !== undefined,
})

/** Asked for by anybody for any e-mail: whether there is an account is only looked at here, after the response. */
export const mailResetLink = defineJob({
  name: "onboarding.mail-reset-link",
  payload: Type.Object({ email: Type.String() }),
  maxAttempts: 5,
  timeoutSeconds: 60,
  handle: (context, { email }) => sendResetLink(context.sql, email, mailContext(context)),
})

export const mailVerification = defineJob({
  name: "onboarding.mail-verification",
  payload: Type.Object({ email: Type.String() }),
  maxAttempts: 5,
  timeoutSeconds: 60,
  handle: (context, { email }) => sendVerificationAgain(context.sql, email, mailContext(context)),
})

/** Removes registrations that nobody confirmed within eight days. */
const removeUnconfirmed = defineJob({
  name: "onboarding.remove-unconfirmed",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "11 4 * * *",
  async handle({ sql, signal }) {
    const old = await sql<{ id: string; accountId: string }[]>`
      select organizations.id, users.account_id from organizations
      join users on users.organization_id = organizations.id and users.is_first_owner
      where organizations.status = 'pending' and organizations.created_time < now() - interval '8 days' limit 1000`
    for (const { id, accountId } of old) {
      if (signal.aborted) return
      await inTransaction(sql, async (tx) => {
        await removePending(tx, id)
        await removeOrphans(tx, [accountId])
      })
    }
  },
})

interface Expiring {
  accountId: string
  organizationId: string
  email: string
  name: string
  language: string
  passwordChangedTime: Temporal.Instant
}

/** Mails people once when their password expires soon, by the policies of their roles. */
export const announceExpiry = defineJob({
  name: "onboarding.announce-expiry",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 1800,
  cron: "7 5 * * *",
  async handle({ sql, clock, config, signal }) {
    const now = clock.now()
    let last = ""
    for (;;) {
      const people = await sql<Expiring[]>`
        select distinct on (accounts.id) accounts.id as account_id, users.organization_id, users.email, users.name,
          users.language, accounts.password_changed_time
        from accounts
        join users on users.account_id = accounts.id and users.status = 'active'
        join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
        where accounts.id > ${last} and accounts.expiry_notice_time is null
          and accounts.password_changed_time is not null and roles.password_policy_id is not null
        order by accounts.id, users.last_login desc nulls last limit 500`
      for (const person of people) {
        if (signal.aborted) return
        const policy = await policyOfAccount(sql, person.accountId)
        const expiry = expiryOf(person.passwordChangedTime, policy)
        const days = expiry ? Math.ceil(expiry.since(now).total("hours") / 24) : undefined
        if (days === undefined || days < 1 || days > policy.expirationNotificationDays) continue
        await inTransaction(sql, async (tx) => {
          if (await noteExpiryNotice(tx, person.accountId, now))
            await queueMail(tx, person, "passwordExpires", {
              name: person.name,
              days,
              link: config.publicUrl,
            })
        })
      }
      last = people.at(-1)?.accountId ?? ""
      if (people.length < 500) return
    }
  },
})

export const onboardingJobs: readonly Job[] = [
  mailResetLink,
  mailVerification,
  removeUnconfirmed,
  announceExpiry,
]
