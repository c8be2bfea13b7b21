import { ActionIcon, Checkbox, Menu } from "@mantine/core"
import { IconColumns3 } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import type { Column } from "../../ui/VirtualGrid.tsx"
import { viewMessages } from "./view-messages.ts"

const storageKey = "fieldway.task-columns-hidden"

/** Which columns this browser leaves out. */
export function useHiddenColumns() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const stored = localStorage.getItem(storageKey) ?? ""
    return new Set(stored === "" ? [] : stored.split(","))
  })
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    localStorage.setItem(storageKey, [...next].join(","))
    setHidden(next)
  }
  return { hidden, toggle }
}

export interface ColumnChoiceProps<Row> {
  /** All columns; the first always stays. */
  columns: readonly Column<Row>[]
  hidden: ReadonlySet<string>
  onToggle(id: string): void
}

export function ColumnChoice<Row>({ columns, hidden, onToggle }: ColumnChoiceProps<Row>) {
  const t = useMessages(viewMessages)
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label={t("columns")} title={t("columns")}>
          <IconColumns3 size={17} />
        </ActionIcon>
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
