import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { PersonStore } from "../kept/field-store.ts"

/** A person has one open session at most, and it is among their newest. */
const newest = 5

/** When the session of work began that is open on the server, ISO 8601; null without one. */
async function findOpenSession(email: string): Promise<string | null> {
  const query = { email, startFinish: true, limit: newest } as const
  const { tasks } = await responseOf(api.GET("/api/v3/location-histories", { params: { query } }))
  return tasks.data.find(({ startTime, finish }) => startTime && !finish)?.startTime ?? null
}

export function openSessionQuery(store: PersonStore, email: string) {
  return queryOptions({
    queryKey: ["open-session", store.personKey],
    networkMode: "always",
    retry: false,
    queryFn: () => findOpenSession(email),
  })
}
