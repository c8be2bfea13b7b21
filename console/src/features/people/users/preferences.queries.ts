import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { dataQuery, server } from "../../../api/server.ts"

/** How the person has set up the console; on the server, so that it is the same on every device. */
const preferencesQuery = dataQuery(["preferences"], "/api/v3/user/preferences", {}, { staleTime: 60_000 })

/** One of the own preferences, undefined until it is read or set, and what keeps another value. */
export function usePreference<Value extends object>(
  name: string,
): readonly [value: Value | undefined, keep: (value: Value) => void] {
  const client = useQueryClient()
  const { data } = useQuery(preferencesQuery)
  const keep = useCallback(
    (value: Value) => {
      const plain: Record<string, unknown> = Object.fromEntries(Object.entries(value))
      // A reading that is under way would bring the value before.
      void client.cancelQueries({ queryKey: preferencesQuery.queryKey })
      client.setQueryData(preferencesQuery.queryKey, (known) => ({ ...known, [name]: plain }))
      // A layout that could not be kept is no reason to interrupt anybody: it stays on the screen.
      void server.put("/api/v3/user/preferences", { body: { name, value: plain } }).catch(() => undefined)
    },
    [client, name],
  )
  return [data?.[name] as Value | undefined, keep]
}

/** The ids of the saved views in the person's menu. */
export interface PinnedViews {
  ids: string[]
}
export const pinnedViews = "pinned-views"
