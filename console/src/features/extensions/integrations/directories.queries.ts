import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"

export type Directory = ResponseBody<"listScimTokens">["data"][number]

export const directoriesQuery = dataQuery(["directories"], "/api/v3/scim-tokens")

export const createDirectory = (body: { name: string; roleId: string; hubId: string }) =>
  dataOf(server.post("/api/v3/scim-token", { body }))

export const deleteDirectory = (scimTokenId: string) =>
  server.delete("/api/v3/scim-token/{scimTokenId}", { scimTokenId })
