import { Badge } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { openAlertsQuery } from "../features/extensions/alerts/alerts.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { shellMessages } from "./messages.ts"

/** How many open alerts wait for somebody; nothing if none do. */
export default function AlertMark() {
  const t = useMessages(shellMessages)
  const { data = 0 } = useQuery(openAlertsQuery)
  if (data === 0) return null
  return (
    <Badge size="sm" color="red" ml="auto" circle={data < 10} aria-label={t("openAlerts", { count: data })}>
      {data > 99 ? "99+" : data}
    </Badge>
  )
}
