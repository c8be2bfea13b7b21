import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { responseOf } from "../../../api/client.ts"
import { useSession } from "../../../session/session.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import { readOrRecall } from "../field.queries.ts"
import { useField } from "../field-context.ts"
import type { PersonStore } from "../kept/field-store.ts"

export function myFlowsQuery(store: PersonStore) {
  return {
    queryKey: ["flows", store.personKey],
    networkMode: "always" as const,
    queryFn: () =>
      readOrRecall(store, "flows", async (client) => {
        const query = { limit: -1, sort_by: "orderIndex", sort_order: "asc" }
        return (await responseOf(client.GET("/api/v3/flows", { params: { query } }))).flows.data as Flow[]
      }),
  }
}

export function myHubsQuery(store: PersonStore) {
  return {
    queryKey: ["hubs", store.personKey],
    networkMode: "always" as const,
    queryFn: () =>
      readOrRecall(store, "hubs", async (client) => (await responseOf(client.GET("/api/v3/hubs"))).data),
  }
}

/** Which maps there are. The map reads the same entry: it finds it here and asks nobody. */
export function mapSettingsQuery(store: PersonStore) {
  return {
    queryKey: ["console-settings"],
    networkMode: "always" as const,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      readOrRecall(store, "console-settings", (client) => responseOf(client.GET("/api/v3/console-settings"))),
  }
}

/** Reads what pages need that may be opened for the first time without a network. */
export function useKeptChoices(): void {
  const client = useQueryClient()
  const { store } = useField()
  const { may } = useSession()
  const mayCreate = may("add/task")
  useEffect(() => {
    void client.prefetchQuery(mapSettingsQuery(store))
    if (!mayCreate) return
    void client.prefetchQuery(myFlowsQuery(store))
    void client.prefetchQuery(myHubsQuery(store))
  }, [client, store, mayCreate])
}
