import { ActionIcon, Button } from "@mantine/core"
import { IconFileDownload, IconUserPlus, IconX } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { shellMessages } from "../../shell/messages.ts"
import { Explained } from "../../ui/Explained.tsx"
import { taskMessages } from "./messages.ts"
import { matchingTaskIds, mostAtOnce } from "./tasks.queries.ts"

export interface SelectionBarProps {
  selected: ReadonlySet<string>
  total: number
  query: Parameters<typeof matchingTaskIds>[0]
  onSelect(selected: ReadonlySet<string>): void
  onAssign(): void
  onExport(): void
}

/** What can be done with the selected tasks, over the list as long as there are any. */
export function SelectionBar({ selected, total, query, onSelect, onAssign, onExport }: SelectionBarProps) {
  const t = useMessages(taskMessages)
  const tShell = useMessages(shellMessages)
  const { may } = useSession()
  const selectAll = useMutation({
    mutationFn: () => matchingTaskIds(query),
    onSuccess: (ids) => onSelect(new Set(ids)),
  })
  if (selected.size === 0) return null
  const reachable = Math.min(total, mostAtOnce)
  return (
    <div className="selection-bar" role="toolbar" aria-label={t("selected", { count: selected.size })}>
      <strong aria-live="polite">{t("selected", { count: selected.size })}</strong>
      {selected.size < reachable ? (
        <Button
          size="xs"
          variant="white"
          color="dark"
          loading={selectAll.isPending}
          onClick={() => selectAll.mutate()}
        >
          {t("selectAll", { count: reachable })}
        </Button>
      ) : null}
      <Explained reason={may("assign/task") ? undefined : tShell("needs", { permission: "assign/task" })}>
        <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={onAssign}>
          {t("assign")}
        </Button>
      </Explained>
      {may("export/task") ? (
        <Button
          size="xs"
          variant="white"
          color="dark"
          leftSection={<IconFileDownload size={15} />}
          onClick={onExport}
        >
          {t("export")}
        </Button>
      ) : null}
      <ActionIcon
        variant="transparent"
        c="white"
        aria-label={t("clearSelection")}
        onClick={() => onSelect(new Set())}
      >
        <IconX size={18} />
      </ActionIcon>
    </div>
  )
}
