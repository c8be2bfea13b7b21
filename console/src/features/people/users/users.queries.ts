import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"
import type { OwnUser } from "../../../session/session.ts"

/** A member as lists show one: with the role, without its permissions. */
export type User = OwnUser
export type NewUser = operations["createUser"]["requestBody"]["content"]["application/json"]
export type Role = operations["listRoles"]["responses"]["200"]["content"]["application/json"]["data"][number]

/** All members whom the caller may see. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: async ({ signal }) =>
    (await responseOf(api.GET("/api/v3/users", { signal }))).data as unknown as User[],
})

export const rolesQuery = queryOptions({
  queryKey: ["roles"],
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/roles", { signal }))).data,
})

export function createUser(body: NewUser) {
  return responseOf(api.POST("/api/v3/user", { body }))
}
