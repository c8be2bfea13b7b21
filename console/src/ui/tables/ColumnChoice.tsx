import { Checkbox, Popover, Select, Stack } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconColumns3, IconPin, IconPinnedOff } from "@tabler/icons-react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { IconButton } from "../actions/ActionButton.tsx"
import { type ColumnSettings, inOrderOf, isShown } from "./column-settings.ts"
import type { Grouping } from "./EntityGrid.tsx"
import type { Column } from "./VirtualGrid.tsx"

const messages = defineMessages("console.columnChoice", {
  columnsHint: "Drag the edge of a heading to change its width.",
  up: "Move {title} to the left",
  down: "Move {title} to the right",
  pin: "Pin {title}",
  unpin: "Unpin {title}",
  groupBy: "Group by",
  noGroups: "Not grouped",
})

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[]
  settings: Required<ColumnSettings>
  grouping?: Grouping | undefined
  isOpen: boolean
  onOpen(isOpen: boolean): void
  onChange(settings: ColumnSettings): void
}

/** Loaded when it is opened. Which columns are shown, in which order, and which stay in sight. The first column always stays. */
export default function ColumnChoice<Row>(props: ColumnChoiceProps<Row>) {
  const { columns, settings, grouping, isOpen, onOpen, onChange } = props
  const t = useMessages(messages)
  const [, ...shown] = inOrderOf(columns, settings)
  const ids = shown.map(({ id }) => id)
  const toggle = (key: "hidden" | "pinned" | "shown", id: string) => {
    const list = settings[key]
    onChange({ ...settings, [key]: list.includes(id) ? list.filter((one) => one !== id) : [...list, id] })
  }
  const move = (at: number, by: 1 | -1) => {
    const order = ids.with(at, ids[at + by] ?? "").with(at + by, ids[at] ?? "")
    onChange({ ...settings, order })
  }
  return (
    <Popover opened={isOpen} onChange={onOpen} position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <IconButton
          icon={IconColumns3}
          label={grouping?.label ?? t("columns")}
          variant="default"
          size={28}
          title={grouping?.label ?? t("columns")}
          onClick={() => onOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={grouping?.label ?? t("columns")}>
        {grouping ? (
          <Select
            label={t("groupBy")}
            placeholder={t("noGroups")}
            size="xs"
            mb="sm"
            clearable
            comboboxProps={{ withinPortal: false }}
            data={[...grouping.choices]}
            value={grouping.value ?? null}
            onChange={(value) => grouping.onChange(value ?? undefined)}
          />
        ) : null}
        <Stack gap={2} w={290} mah="60vh" style={{ overflowY: "auto" }}>
          {shown.map((column, at) => {
            const { id, title } = column
            const isPinned = settings.pinned.includes(id)
            return (
              <div key={id} className="column-line">
                <Checkbox
                  size="xs"
                  label={title}
                  checked={isShown(column, settings)}
                  onChange={() => toggle(column.isExtra ? "shown" : "hidden", id)}
                />
                <IconButton
                  icon={isPinned ? IconPinnedOff : IconPin}
                  iconSize={14}
                  size="sm"
                  label={t(isPinned ? "unpin" : "pin", { title })}
                  aria-pressed={isPinned}
                  onClick={() => toggle("pinned", id)}
                />
                <IconButton
                  icon={IconArrowUp}
                  iconSize={14}
                  size="sm"
                  label={t("up", { title })}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon={IconArrowDown}
                  iconSize={14}
                  size="sm"
                  label={t("down", { title })}
                  disabled={at === ids.length - 1}
                  onClick={() => move(at, 1)}
                />
              </div>
            )
          })}
          <span className="quiet column-hint">{t("columnsHint")}</span>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
