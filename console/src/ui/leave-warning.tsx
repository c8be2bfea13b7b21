import { useBlocker } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../i18n/language.tsx"
import { defineMessages } from "../i18n/messages.ts"

const messages = defineMessages({
  en: { question: "Leave without saving? What you entered here is lost." },
  id: { question: "Keluar tanpa menyimpan? Yang Anda isi di sini akan hilang." },
})

/** Whether what a form holds is something else than when it opened. */
export function useIsChanged(entered: unknown): boolean {
  const now = JSON.stringify(entered)
  const [start] = useState(now)
  return now !== start
}

/**
 * Leaving a form with changes asks first, by a link as well as by closing the tab. A form that can be closed
 * without leaving the page asks with the answered function before it closes.
 */
export function useLeaveWarning(isChanged: boolean): () => boolean {
  const t = useMessages(messages)
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && current.pathname !== next.pathname && !window.confirm(t("question")),
    enableBeforeUnload: () => isChanged,
    disabled: !isChanged,
  })
  return () => !isChanged || window.confirm(t("question"))
}
