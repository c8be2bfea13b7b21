import { commaList } from "#core/http/tolerance.ts"
import type { ValueProblem } from "../../data-types/index.ts"

const maxUsers = 1000

/** Who may see a record. Without `emails` the call says nothing about it; null lifts the limit. */
export type Limit = { emails: string[] | null } | Record<never, never>

/** Reads `limitUser` as sent: a list or comma list of e-mails, null or an empty list for everybody. */
export function readLimit(sent: unknown): Limit | { problem: ValueProblem } {
  if (sent === undefined) return {}
  if (sent === null) return { emails: null }
  const entries = typeof sent === "string" ? commaList(sent) : sent
  if (!Array.isArray(entries)) return refuse("011", "must be a list of e-mails")
  const emails = [...new Set(entries.map((entry) => String(entry).trim().toLowerCase()))].filter(Boolean)
  if (emails.length > maxUsers) return refuse("040", `must have at most ${maxUsers} e-mails`)
  const bad = emails.find(
    (email) => !/^[^\s@\p{Cc}]{1,250}@[^\s@\p{Cc}]{1,250}$/u.test(email) || !email.isWellFormed(),
  )
  if (bad !== undefined) return refuse("004", "must have e-mail addresses only")
  return { emails: emails.length > 0 ? emails : null }
}

function refuse(code: string, reason: string) {
  return { problem: { fieldId: "limitUser", title: "limitUser", code, reason } }
}
