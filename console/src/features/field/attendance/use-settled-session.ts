import { useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { parseTime } from "../../../i18n/formats.ts"
import type { OnSettled } from "../kept/field-positions.ts"
import type { PersonStore } from "../kept/field-store.ts"
import type { Notice } from "../kept/field-sync.ts"
import { newName } from "../kept/storage.ts"
import { openSessionQuery } from "./open-session.ts"
import { readShift, type Shift } from "./shift.ts"

interface Options {
  store: PersonStore
  email: string
  setShift(shift: Shift): void
}

/**
 * The working time was begun, or ended, elsewhere before this phone said so. Its day then counts from the session that is
 * open on the server, and the person reads what happened.
 */
export function useSettledSession({ store, email, setShift }: Options): OnSettled {
  const client = useQueryClient()
  return useCallback(
    async (marks) => {
      const query = openSessionQuery(store, email)
      const found = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => null)
      const since = marks === "start" ? parseTime(found)?.toISOString() : undefined
      const shift = readShift(email)
      if (since && shift && since < shift.startedAt) setShift({ ...shift, startedAt: since })
      const notice: Notice = { id: newName(), title: "", session: { marks, ...(since ? { since } : {}) } }
      await store.write([{ in: "notices", key: notice.id, value: notice }])
    },
    [client, store, email, setShift],
  )
}
