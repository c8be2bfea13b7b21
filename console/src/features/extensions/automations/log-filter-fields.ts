import { useMemo } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { FilterableField } from "../../../ui/filters/filter-draft.ts"
import { automationMessages } from "./messages.ts"

/** What tries of one automation, or of all, can be filtered by. */
export function useLogFilterFields(showsAutomation: boolean): FilterableField[] {
  const t = useMessages(automationMessages)
  return useMemo(
    () => [
      ...(showsAutomation
        ? [{ id: "automationName", title: t("automation"), kind: "text" } satisfies FilterableField]
        : []),
      {
        id: "isSuccess",
        title: t("outcome"),
        kind: "choice",
        options: [
          { value: "true", label: t("succeeded") },
          { value: "false", label: t("failed") },
        ],
      },
      { id: "statusCode", title: t("status"), kind: "number" },
      { id: "attempts", title: t("attempt"), kind: "number" },
      { id: "startRequestTime", title: t("time"), kind: "time" },
      { id: "responseTime", title: t("took"), kind: "number" },
      { id: "automationUrl", title: t("target"), kind: "text" },
      { id: "referenceId", title: t("reference"), kind: "text" },
      { id: "request", title: t("sent"), kind: "text" },
      { id: "response", title: t("received"), kind: "text" },
    ],
    [t, showsAutomation],
  )
}
