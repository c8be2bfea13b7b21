import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useMessages } from "../../i18n/language.tsx"
import { hasUnofferedActions, notifyDone, notifyFailed } from "../notify.ts"
import { undoMessages } from "./undo-messages.ts"

export interface ActionOptions<Result, Input> {
  /** The queries that it makes stale, by the beginnings of their keys. An error refreshes them too: it may be due to stale data. */
  refreshes?: readonly QueryKey[]
  /** The notification of success, shown before anything is read again; undefined when there is none to report. */
  done?: (result: Result, input: Input) => string | undefined
  /** The title of a notification of the error; without it the page shows `error`. */
  failed?: (input: Input) => string
  /** What happens next on the page, for example closing a dialog. */
  onDone?: (result: Result, input: Input) => unknown
}

/** A change that a button or a form sends: notifies of its outcome and reads again what it has changed. */
export function useAction<Result, Input = void>(
  send: (input: Input) => Promise<Result>,
  options: ActionOptions<Result, Input> = {},
) {
  const { refreshes = [], done, failed, onDone } = options
  const client = useQueryClient()
  const t = useMessages(undoMessages)
  const tError = useMessages(errorMessages)
  const refresh = () => Promise.all(refreshes.map((queryKey) => client.invalidateQueries({ queryKey })))
  const [isAccepted, setAccepted] = useState(false)
  const mutation = useMutation({
    mutationFn: send,
    onMutate: () => setAccepted(false),
    onSuccess: async (result, input) => {
      setAccepted(true)
      const message = done?.(result, input)
      if (message !== undefined) notifyDone(message)
      await refresh()
      await onDone?.(result, input)
      // The page has nothing to say; the change can be undone all the same.
      if (hasUnofferedActions()) notifyDone(t("saved"))
    },
    onError: async (error, input) => {
      if (failed) notifyFailed(failed(input), errorText(error, tError))
      await refresh()
    },
  })
  return {
    ...mutation,
    /** The server has accepted the change; forms that close need not warn of losing it. */
    isAccepted,
    /** It is accepted, and the queries are still being read again; forms that stay open need not warn meanwhile. */
    isRefreshing: isAccepted && mutation.isPending,
  }
}
