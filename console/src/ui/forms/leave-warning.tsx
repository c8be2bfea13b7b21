import { useBlocker } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"

const messages = defineMessages("console.leaveWarning", {
  question: "Leave without saving? Your changes will be lost.",
})

/** Whether the values of a form differ from those that it opened with. */
export function useIsChanged(entered: unknown): boolean {
  const now = JSON.stringify(entered)
  const [start] = useState(now)
  return now !== start
}

/**
 * Leaving a form with changes asks first, whether by a link or by closing the tab. A form that closes without leaving
 * the page passes what closes it, and calls the returned function instead.
 */
export function useLeaveWarning(isChanged: boolean, onClose?: () => void): () => void {
  const t = useMessages(messages)
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && current.pathname !== next.pathname && !window.confirm(t("question")),
    enableBeforeUnload: () => isChanged,
    disabled: !isChanged,
  })
  return () => {
    if (!isChanged || window.confirm(t("question"))) onClose?.()
  }
}
