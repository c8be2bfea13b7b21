import { queryOptions, useSuspenseQuery } from "@tanstack/react-query"
import { server } from "../api/server.ts"

const readOwnUser = (signal: AbortSignal) => server.get("/api/v3/user", { signal })
export type OwnUser = Awaited<ReturnType<typeof readOwnUser>>

/** The signed-in user. Fails with 401 without a session. */
export const ownUserQuery = queryOptions({
  queryKey: ["own-user"],
  queryFn: ({ signal }) => readOwnUser(signal),
  staleTime: 5 * 60_000,
})

export interface Session {
  user: OwnUser
  organization: { id: string; name: string; timeZone: string }
  roleName: string
  isOwner: boolean
  /** Whether the role grants the permission; names as the server's catalogue has them. */
  may(permission: string): boolean
  mayAny(...permissions: string[]): boolean
}

/** The signed-in person; only inside the signed-in layout, which has loaded it. */
export function useSession(): Session {
  const { data: user } = useSuspenseQuery(ownUserQuery)
  return sessionOf(user)
}

const sessions = new WeakMap<OwnUser, Session>()

export function sessionOf(user: OwnUser): Session {
  const known = sessions.get(user) ?? readSession(user)
  sessions.set(user, known)
  return known
}

function readSession(user: OwnUser): Session {
  const granted = new Set(
    (user.role?.permissions ?? []).filter((entry) => entry.access).map((entry) => entry.name),
  )
  const organization = user.organization
  const isFull = organization && "timeZone" in organization
  const profile = isFull ? (organization.user as { companyName?: unknown }) : undefined
  const may = (permission: string) => granted.has(permission)
  return {
    user,
    organization: {
      id: user.organizationId,
      name: typeof profile?.companyName === "string" ? profile.companyName : "",
      timeZone: isFull ? organization.timeZone : "UTC",
    },
    roleName: user.role?.name ?? "",
    isOwner: user.role?.isAdmin ?? false,
    may,
    mayAny: (...permissions) => permissions.some(may),
  }
}
