import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query"
import type { RowFilter } from "#shared/row-filter.ts"
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

/** Those of them who match the conditions. */
export const matchingUsersQuery = (filter: RowFilter | undefined) =>
  queryOptions({
    queryKey: ["users", { filter }],
    placeholderData: keepPreviousData,
    queryFn: filter
      ? async ({ signal }: { signal: AbortSignal }) => {
          const query = { filter: JSON.stringify(filter), fields: "_id" }
          const found = await dataOf(server.get("/api/v3/users", { query, signal }))
          return new Set(found.map(({ _id }) => _id))
        }
      : skipToken,
  })

export const rolesQuery = dataQuery(["roles"], "/api/v3/roles")

export const createUser = (body: NewUser) => server.post("/api/v3/user", { body })
