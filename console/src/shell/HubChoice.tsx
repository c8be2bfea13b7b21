import { IconBuildingWarehouse } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { hubsQuery } from "../features/organization/hubs/hubs.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { LateSelect } from "../ui/LateSelect.tsx"
import { shellMessages } from "./messages.ts"

/** The hub that the console is narrowed to; it stands in the address, so a link shows the same. */
export function useChosenHub(): string | undefined {
  return useSearch({ strict: false }).hub
}

export function HubChoice() {
  const t = useMessages(shellMessages)
  const chosen = useChosenHub()
  const navigate = useNavigate()
  const { data: hubs = [] } = useQuery(hubsQuery)
  if (hubs.length < 2 && !chosen) return null
  const all = "all"
  return (
    <LateSelect
      label={t("chooseHub")}
      placeholder={t("allHubs")}
      leftSection={<IconBuildingWarehouse size={16} stroke={1.7} />}
      data={[
        { value: all, label: t("allHubs") },
        ...hubs.map((hub) => ({ value: hub._id, label: hub.name })),
      ]}
      value={chosen ?? all}
      searchable={hubs.length > 8}
      onChange={(value) => {
        void navigate({
          to: ".",
          // An explicit undefined drops the retained parameter.
          search: ((search: Record<string, unknown>) => ({
            ...search,
            hub: value === all ? undefined : value,
          })) as never,
        })
      }}
    />
  )
}
