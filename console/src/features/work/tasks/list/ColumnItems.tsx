import { Checkbox, Menu } from "@mantine/core"
import type { ReactElement } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import type { ColumnChoiceProps } from "./ColumnChoice.tsx"
import { viewMessages } from "./view-messages.ts"

/** The columns to choose from, opened. */
export default function ColumnItems({
  button,
  columns,
  hidden,
  onToggle,
}: ColumnChoiceProps & { button: ReactElement }) {
  const t = useMessages(viewMessages)
  return (
    <Menu closeOnItemClick={false} position="bottom-end" defaultOpened>
      <Menu.Target>{button}</Menu.Target>
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
