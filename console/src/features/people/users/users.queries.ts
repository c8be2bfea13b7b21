import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import type { OwnUser } from "../../../session/session.ts"

/** A member as lists show one: with the role, without its permissions. */
export type User = OwnUser
export type NewUser = RequestBody<"createUser">
export type Role = ResponseBody<"listRoles">["data"][number]

/** All members whom the caller may see. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: async ({ signal }) => (await dataOf(server.get("/api/v3/users", { signal }))) as User[],
})

export const rolesQuery = dataQuery(["roles"], "/api/v3/roles")

export const createUser = (body: NewUser) => server.post("/api/v3/user", { body })
