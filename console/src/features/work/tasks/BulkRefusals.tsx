import { Alert, List, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import type { BulkResult } from "./bulk.ts"
import { taskMessages } from "./messages.ts"
import { listedTasks } from "./tasks.queries.ts"

const maxShown = 50

/** The rejected tasks of a bulk change with their reasons, by title if it is known. */
export function BulkRefusals({ refused }: { refused: BulkResult["refused"] }) {
  const t = useMessages(taskMessages)
  const client = useQueryClient()
  if (refused.length === 0) return null
  const tasks = listedTasks(client)
  return (
    <Alert color="red" variant="light" title={t("refused", { count: refused.length })} role="alert">
      <List size="sm" spacing={2} style={{ maxHeight: 220, overflow: "auto" }}>
        {refused.slice(0, maxShown).map(({ taskId, reason }) => (
          <List.Item key={taskId}>
            <strong>{tasks.get(taskId)?.title ?? taskId}</strong>: {reason}
          </List.Item>
        ))}
      </List>
      {refused.length > maxShown ? (
        <Text size="sm">{t("moreRefused", { count: refused.length - maxShown })}</Text>
      ) : null}
    </Alert>
  )
}
