import { Badge, Group } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import type { Import } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

const colors = { onprocess: "blue", success: "pine", partially: "yellow", failed: "red" } as const

export function ImportStatus({ record }: { record: Import }) {
  const t = useMessages(importMessages)
  const { status } = record
  return (
    <Group gap={6}>
      <Badge color={colors[status]}>{t(status)}</Badge>
      {record.dryRun ? <Badge color="gray">{t("check")}</Badge> : null}
      {record.cancelledTime ? <Badge color="gray">{t("cancelled")}</Badge> : null}
      {record.undoneTime ? <Badge color="gray">{t("undone")}</Badge> : null}
    </Group>
  )
}
