import { Button, Menu } from "@mantine/core"
import {
  IconCircleCheck,
  IconDots,
  IconFileDownload,
  IconPencil,
  IconRoute,
  IconTransfer,
  IconTrash,
  IconUserPlus,
} from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { routeMessages } from "../../planning/routes/messages.ts"
import { maxVisits } from "../../planning/routes/routes.queries.ts"
import type { BulkAction } from "./BulkDialog.tsx"
import { labelMessages } from "./label-messages.ts"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { matchingTaskIds, maxSelected } from "./tasks.queries.ts"

interface TaskSelectionBarProps {
  selected: ReadonlySet<string>
  total: number
  query: Parameters<typeof matchingTaskIds>[0]
  onSelect(selected: ReadonlySet<string>): void
  onAct(action: "assign" | "change" | "export" | "plan" | BulkAction): void
}

/** What can be done with the selected tasks, over the list as long as there are any. */
export default function TaskSelectionBar({ selected, total, query, onSelect, onAct }: TaskSelectionBarProps) {
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const tShell = useMessages(shellMessages)
  const tLabel = useMessages(labelMessages)
  const tRoute = useMessages(routeMessages)
  const { may, mayAny } = useSession()
  const selectAll = useAction(() => matchingTaskIds(query), {
    failed: () => t("selectAll", { count: total }),
    onDone: (ids) => onSelect(new Set(ids)),
  })
  return (
    <SelectionBar
      count={selected.size}
      all={{
        count: Math.min(total, maxSelected),
        isPending: selectAll.isPending,
        onSelect: () => selectAll.mutate(),
      }}
      onClear={() => onSelect(new Set())}
    >
      <ActionButton
        icon={IconUserPlus}
        label={t("assign")}
        size="xs"
        onClick={() => onAct("assign")}
        reason={may("assign/task") ? undefined : tShell("needs", { permission: "assign/task" })}
      />
      {mayAny("edit/task", "do/task", "move/task", "export/task", "delete/task", "route-optimization") ? (
        <Menu position="top-end">
          <Menu.Target>
            <Button size="xs" variant="white" color="dark" leftSection={<IconDots size={15} />}>
              {tView("others")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {mayAny("edit/task", "do/task") ? (
              <Menu.Item leftSection={<IconCircleCheck size={16} />} onClick={() => onAct("finish")}>
                {tView("finish")}
              </Menu.Item>
            ) : null}
            {may("edit/task") ? (
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAct("change")}>
                {tLabel("change")}
              </Menu.Item>
            ) : null}
            {may("route-optimization") && selected.size <= maxVisits ? (
              <Menu.Item leftSection={<IconRoute size={16} />} onClick={() => onAct("plan")}>
                {tRoute("planButton")}
              </Menu.Item>
            ) : null}
            {may("move/task") ? (
              <Menu.Item leftSection={<IconTransfer size={16} />} onClick={() => onAct("move")}>
                {tView("move")}
              </Menu.Item>
            ) : null}
            {may("export/task") ? (
              <Menu.Item leftSection={<IconFileDownload size={16} />} onClick={() => onAct("export")}>
                {t("export")}
              </Menu.Item>
            ) : null}
            {may("delete/task") ? (
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onAct("remove")}>
                {tView("delete")}
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </SelectionBar>
  )
}
