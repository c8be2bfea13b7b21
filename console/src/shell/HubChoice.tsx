import { Select } from "@mantine/core"
import { IconBuildingWarehouse } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { hubsQuery } from "../features/organization/hubs/hubs.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { useChosenHub } from "./chosen-hub.ts"
import { shellMessages } from "./messages.ts"

/** Narrows the console to one hub. */
export default function HubChoice() {
  const t = useMessages(shellMessages)
  const chosen = useChosenHub()
  const navigate = useNavigate()
  const { data: hubs = [] } = useQuery(hubsQuery)
  if (hubs.length < 2 && !chosen) return null
  const all = "all"
  return (
    <Select
      comboboxProps={{ width: "max-content" }}
      aria-label={t("chooseHub")}
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
          search: (search) => ({ ...search, hub: value === null || value === all ? undefined : value }),
        })
      }}
    />
  )
}
