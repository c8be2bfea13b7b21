import { queryOptions } from "@tanstack/react-query"
import { dataOf, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { upload } from "../../../api/upload.ts"

export type Integration = ResponseBody<"getAppIntegration">["data"]

export type ProviderType = NonNullable<RequestBody<"createAppIntegration">["integrationType"]>

/** In the order in which the dialog offers them. Each has a text of the same name in `messages.ts`. */
const offered: Readonly<Record<ProviderType, true>> = { azure: true, oidc: true }
export const providerTypes = Object.keys(offered) as ProviderType[]

/** Responses may have further types one day, so the API describes theirs as any text; this console knows its server's. */
export const typeOf = ({ integrationType }: Integration) => integrationType as ProviderType

export type Provisioning = RequestBody<"setSignInProvisioning">

export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: async ({ signal }) => {
    const query = { limit: 100 }
    return (await dataOf(server.get("/api/v3/app-integrations", { query, signal }))).data
  },
})

/** New ones and changes are both forms sent by POST: a certificate is a file. */
export function saveIntegration(integrationId: string | undefined, form: FormData) {
  const path = integrationId === undefined ? "/app-integration" : `/app-integration/${integrationId}`
  return upload<{ data: Integration }>(`/api/v3${path}`, form)
}

export const deleteIntegration = (appIntegrationId: string) =>
  server.delete("/api/v3/app-integration/{appIntegrationId}", { appIntegrationId })

export const saveProvisioning = (appIntegrationId: string, body: Provisioning) =>
  server.put("/api/v3/app-integration/{appIntegrationId}/provisioning", { appIntegrationId, body })

export const removeProvisioning = (appIntegrationId: string) =>
  server.delete("/api/v3/app-integration/{appIntegrationId}/provisioning", { appIntegrationId })
