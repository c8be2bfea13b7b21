import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { OwnUser } from "../../../session/session.ts"

/** As many as an account can have. */
export const maxTokens = 10

const readTokens = async (signal?: AbortSignal) =>
  (await responseOf(api.GET("/api/v3/tokens", signal ? { signal } : {}))).data
export type Token = Awaited<ReturnType<typeof readTokens>>[number]

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => readTokens(signal),
})

export interface NewToken {
  name: string
  expires_at: string
  /** Absent: everything that its owner may. */
  scopes?: string[]
}

export async function createToken(body: NewToken) {
  return (await responseOf(api.POST("/api/v3/token", { body }))).data
}

export function renameToken(tokenId: string, name: string) {
  return responseOf(api.PUT("/api/v3/token/{tokenId}", { params: { path: { tokenId } }, body: { name } }))
}

export function revokeToken(tokenId: string) {
  return responseOf(api.DELETE("/api/v3/token/{tokenId}", { params: { path: { tokenId } } }))
}

/** They narrow or demand something: no program is given them. */
const switches = new Set(["view/task/only-me", "view/checkincheckout", "security/otp-email", "single/login"])

export interface Scope {
  name: string
  label: string
  menu: string
}

/** What the person may, and so a token of hers. */
export function scopesOf(user: OwnUser): Scope[] {
  return (user.role?.permissions ?? [])
    .filter((entry) => entry.access && !switches.has(entry.name))
    .map((entry) => ({ name: entry.name, label: entry.displayName, menu: entry.menu }))
}
