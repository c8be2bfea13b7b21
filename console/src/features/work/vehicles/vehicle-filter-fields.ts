import { useMemo } from "react"
import { fieldLabel } from "../../../i18n/field-title.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { choicesOf, type FilterableField } from "../../../ui/filters/filter-draft.ts"
import { vehicleMessages } from "./messages.ts"

/** What vehicles can be filtered by; names of people by e-mail and of hubs by id. */
export function useVehicleFilterFields({
  people,
  hubs,
}: Record<"people" | "hubs", ReadonlyMap<string, string>>): FilterableField[] {
  const t = useMessages(vehicleMessages)
  const { language } = useLanguage()
  return useMemo(
    () => [
      { id: "name", title: t("name"), kind: "text" },
      { id: "assignee", title: t("assignee"), kind: "choice", options: choicesOf(people) },
      { id: "hubId", title: t("hub"), kind: "choice", options: choicesOf(hubs) },
      { id: "tags", title: t("tags"), kind: "text" },
      { id: "speed", title: t("speedUnit"), kind: "number" },
      { id: "fixedCost", title: t("fixedCost"), kind: "number" },
      {
        id: "oddEven",
        title: t("oddEven"),
        kind: "choice",
        options: (["odd", "even"] as const).map((value) => ({ value, label: t(value) })),
      },
      { id: "workingStart", title: `${t("working")}: ${t("from")}`, kind: "text" },
      { id: "workingEnd", title: `${t("working")}: ${t("to")}`, kind: "text" },
      { id: "createdTime", title: fieldLabel("createdTime", language), kind: "time" },
      { id: "updatedTime", title: fieldLabel("updatedTime", language), kind: "time" },
    ],
    [t, language, people, hubs],
  )
}
