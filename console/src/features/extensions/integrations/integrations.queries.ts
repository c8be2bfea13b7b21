import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"
import { upload } from "../../../api/upload.ts"

export type Integration =
  operations["getAppIntegration"]["responses"]["200"]["content"]["application/json"]["data"]

export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: async ({ signal }) => {
    const query = { limit: 100 }
    return (await responseOf(api.GET("/api/v3/app-integrations", { params: { query }, signal }))).data.data
  },
})

/** New ones and changes are both forms sent by POST: a certificate is a file. */
export function saveIntegration(integrationId: string | undefined, form: FormData) {
  const path = integrationId === undefined ? "/app-integration" : `/app-integration/${integrationId}`
  return upload<{ data: Integration }>(`/api/v3${path}`, form)
}

export function deleteIntegration(appIntegrationId: string) {
  return responseOf(
    api.DELETE("/api/v3/app-integration/{appIntegrationId}", { params: { path: { appIntegrationId } } }),
  )
}
