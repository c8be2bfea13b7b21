import { Checkbox, Menu } from "@mantine/core"
import { IconColumns3 } from "@tabler/icons-react"
import { useMessages } from "../../../../i18n/language.tsx"
import { IconButton } from "../../../../ui/actions/ActionButton.tsx"
import type { Column } from "../../../../ui/tables/VirtualGrid.tsx"
import { taskMessages } from "../messages.ts"

interface ColumnChoiceProps {
  /** All columns; the first always stays. */
  columns: readonly Pick<Column<unknown>, "id" | "title">[]
  hidden: ReadonlySet<string>
  onToggle(id: string): void
}

export default function ColumnChoice({ columns, hidden, onToggle }: ColumnChoiceProps) {
  const t = useMessages(taskMessages)
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <IconButton
          icon={IconColumns3}
          label={t("columns")}
          variant="default"
          size={28}
          title={t("columns")}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("columns")}</Menu.Label>
        {columns.slice(1).map((column) => (
          <Menu.Item
            key={column.id}
            role="menuitemcheckbox"
            aria-checked={!hidden.has(column.id)}
            leftSection={<Checkbox.Indicator size="xs" checked={!hidden.has(column.id)} />}
            onClick={() => onToggle(column.id)}
          >
            {column.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
