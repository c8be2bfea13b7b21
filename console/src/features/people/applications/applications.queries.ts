import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"

export type Application = ResponseBody<"listOAuthClients">["data"][number]
export type Grant = ResponseBody<"listOAuthGrants">["data"][number]

export const applicationsQuery = dataQuery(["applications"], "/api/v3/oauth-clients")
export const grantsQuery = dataQuery(["application-grants"], "/api/v3/oauth-grants")

/** The parameters of an authorization request, as /oauth/authorize passes them on. */
export function readRequest(text: string): Record<string, string> {
  try {
    const search = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    return Object.fromEntries(new URLSearchParams(search))
  } catch {
    return {}
  }
}

export const consentQuery = (request: Record<string, string>) =>
  queryOptions({
    queryKey: ["consent", request],
    retry: false,
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/oauth-consent", { query: request, signal })),
  })

export const decide = (request: Record<string, string>, isAllowed: boolean) =>
  dataOf(server.post("/api/v3/oauth-consent", { body: { ...request, isAllowed } }))

export interface NewApplication {
  name: string
  redirectUris: string[]
  scopes: string[]
  isPublic: boolean
  isService: boolean
}

export const createApplication = (body: NewApplication) =>
  dataOf(server.post("/api/v3/oauth-client", { body }))

export const rotateSecret = (oauthClientId: string) =>
  dataOf(server.post("/api/v3/oauth-client/{oauthClientId}/rotate-secret", { oauthClientId }))

export const deleteApplication = (oauthClientId: string) =>
  server.delete("/api/v3/oauth-client/{oauthClientId}", { oauthClientId })

export const disconnect = (oauthGrantId: string) =>
  server.delete("/api/v3/oauth-grant/{oauthGrantId}", { oauthGrantId })
