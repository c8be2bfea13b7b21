import { useMemo } from "react"
import { fieldLabel } from "../../../i18n/field-title.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { choicesOf, type FilterableField } from "../../../ui/filters/filter-draft.ts"
import { userMessages } from "./messages.ts"
import type { Team } from "./teams.queries.ts"

const statuses = ["active", "inactive", "pending", "disabled", "reject"] as const

/** What people can be filtered by; names of roles and hubs by their ids. */
export function usePeopleFilterFields(options: {
  roles: ReadonlyMap<string, string>
  hubs: ReadonlyMap<string, string>
  teams: readonly Team[]
}): FilterableField[] {
  const { roles, hubs, teams } = options
  const t = useMessages(userMessages)
  const { language } = useLanguage()
  return useMemo(
    () => [
      { id: "name", title: t("name"), kind: "text" },
      { id: "email", title: t("email"), kind: "text" },
      { id: "phoneNumber", title: t("phone"), kind: "text" },
      { id: "roleId", title: t("role"), kind: "choice", options: choicesOf(roles) },
      { id: "hubId", title: t("hubs"), kind: "choice", options: choicesOf(hubs) },
      {
        id: "teamId",
        title: t("teams"),
        kind: "choice",
        options: teams.map(({ _id, name }) => ({ value: _id, label: name })),
      },
      {
        id: "status",
        title: t("status"),
        kind: "choice",
        options: statuses.map((value) => ({ value, label: t(value) })),
      },
      { id: "lastLogin", title: t("lastLogin"), kind: "time" },
      { id: "createdTime", title: fieldLabel("createdTime", language), kind: "time" },
    ],
    [t, language, roles, hubs, teams],
  )
}
