import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"
import type { OwnUser } from "../../../session/session.ts"

/** As many as an account can have. */
export const maxTokens = 10

export type Token = ResponseBody<"listTokens">["data"][number]

export const tokensQuery = dataQuery(["tokens"], "/api/v3/tokens")

export interface NewToken {
  name: string
  expires_at: string
  /** Absent: everything that its owner may. */
  scopes?: string[]
}

export const createToken = (body: NewToken) => dataOf(server.post("/api/v3/token", { body }))

export const renameToken = (tokenId: string, name: string) =>
  server.put("/api/v3/token/{tokenId}", { tokenId, body: { name } })

export const revokeToken = (tokenId: string) => server.delete("/api/v3/token/{tokenId}", { tokenId })

/** They narrow or demand something: no program is given them. */
const switches = new Set(["view/task/only-me", "view/checkincheckout", "security/otp-email", "single/login"])

export interface Scope {
  name: string
  label: string
  menu: string
}

/** The permissions of the user, and so of the user's tokens. */
export function scopesOf(user: OwnUser): Scope[] {
  return (user.role?.permissions ?? [])
    .filter((entry) => entry.access && !switches.has(entry.name))
    .map((entry) => ({ name: entry.name, label: entry.displayName, menu: entry.menu }))
}
