import { useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { ApiError } from "../../api/client.ts"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { removeActions } from "../../api/recent-actions.ts"
import { type ResponseBody, server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { notifyDone, notifyFailed, withdrawOffers } from "../notify.ts"
import { undoMessages } from "./undo-messages.ts"

export type LeftAlone = ResponseBody<"undoAction">["data"]["leftAlone"][number]

export interface Undone {
  done: number
  leftAlone: LeftAlone[]
}

/** Undoes actions, the last one first, notifies of the outcome and reads everything again. */
export function useUndo(): (actionIds: readonly string[]) => Promise<Undone | undefined> {
  const client = useQueryClient()
  const t = useMessages(undoMessages)
  const tError = useMessages(errorMessages)
  return useCallback(
    async (actionIds) => {
      removeActions(actionIds)
      withdrawOffers(actionIds)
      const undone: Undone = { done: 0, leftAlone: [] }
      try {
        for (const actionId of actionIds.toReversed()) await undoOne(actionId, undone)
        if (undone.done > 0) notifyDone(t("undone", { count: undone.done }))
        if (undone.leftAlone.length > 0)
          notifyFailed(
            t("leftAlone", { count: undone.leftAlone.length }),
            reasonsOf(undone, t("seeActivity")),
          )
        else if (undone.done === 0) notifyFailed(t("undoFailed"), t("nothingUndone"))
        return undone
      } catch (error) {
        notifyFailed(t("undoFailed"), errorText(error, tError))
        return undefined
      } finally {
        await client.invalidateQueries()
      }
    },
    [client, t, tError],
  )
}

const nothing = { done: 0, leftAlone: [], next: null }

/** A large action takes several calls. */
async function undoOne(actionId: string, undone: Undone): Promise<void> {
  let before: number | undefined
  do {
    const body = before === undefined ? {} : { before }
    const { data } = await server
      .post("/api/v3/action/{actionId}/undo", { actionId, body })
      .catch((error: unknown) => {
        // What was saved without a change has left no action.
        if (error instanceof ApiError && error.status === 404) return { data: nothing }
        throw error
      })
    undone.done += data.done
    undone.leftAlone.push(...data.leftAlone)
    before = data.next ?? undefined
  } while (before !== undefined)
}

const maxReasons = 3

function reasonsOf({ leftAlone }: Undone, more: string): string {
  const lines = leftAlone
    .slice(0, maxReasons)
    .map(({ objectName, objectId, reason }) => `${objectName ?? objectId}: ${reason}`)
  return [...lines, ...(leftAlone.length > maxReasons ? [more] : [])].join(". ")
}
