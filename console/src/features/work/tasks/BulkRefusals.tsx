import { Alert, List, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import type { RowPage } from "../../../ui/tables/list-window.ts"
import type { BulkResult } from "./bulk.ts"
import { taskMessages } from "./messages.ts"
import type { ListedTask } from "./tasks.queries.ts"

const maxShown = 50

/** The rejected tasks of a bulk change with their reasons, by title if it is known. */
export function BulkRefusals({ refused }: { refused: BulkResult["refused"] }) {
  const t = useMessages(taskMessages)
  const client = useQueryClient()
  if (refused.length === 0) return null
  const pages = client.getQueriesData<RowPage<ListedTask>>({ queryKey: ["tasks", "page"] })
  const titles = new Map(
    pages.flatMap(([, page]) => page?.rows.map((task) => [task._id, task.title] as const) ?? []),
  )
  return (
    <Alert color="red" variant="light" title={t("refused", { count: refused.length })} role="alert">
      <List size="sm" spacing={2} style={{ maxHeight: 220, overflow: "auto" }}>
        {refused.slice(0, maxShown).map(({ taskId, reason }) => (
          <List.Item key={taskId}>
            <strong>{titles.get(taskId) ?? taskId}</strong>: {reason}
          </List.Item>
        ))}
      </List>
      {refused.length > maxShown ? (
        <Text size="sm">{t("moreRefused", { count: refused.length - maxShown })}</Text>
      ) : null}
    </Alert>
  )
}
