import { ActionIcon, Button } from "@mantine/core"
import { IconTrash, IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"

const messages = defineMessages("console.selectionBar", {
  selected: "{count} selected",
  clearSelection: "Clear selection",
})

interface SelectionBarProps {
  count: number
  /** In place of the count, while an action takes long. */
  progress?: string | undefined
  /** Selects everything that matches, when more matches than is selected. */
  all?: { count: number; isPending: boolean; onSelect(): void } | undefined
  onClear(): void
  children: ReactNode
}

/** Actions on the selected rows, over the list for as long as any are selected. */
export function SelectionBar({ count, progress, all, onClear, children }: SelectionBarProps) {
  const t = useMessages(messages)
  return (
    <div className="selection-bar" role="toolbar" aria-label={t("selected", { count })}>
      <strong aria-live="polite">{progress ?? t("selected", { count })}</strong>
      {all && count < all.count ? (
        <Button size="xs" variant="white" color="dark" loading={all.isPending} onClick={all.onSelect}>
          {t("selectAll", { count: all.count })}
        </Button>
      ) : null}
      {children}
      <ActionIcon variant="transparent" c="white" aria-label={t("clearSelection")} onClick={onClear}>
        <IconX size={18} />
      </ActionIcon>
    </div>
  )
}

/** Deletes the selected rows. */
export function DeleteSelected(props: { label: string; isPending: boolean; onClick(): void }) {
  return (
    <Button
      size="xs"
      variant="white"
      color="red.9"
      leftSection={<IconTrash size={15} />}
      loading={props.isPending}
      onClick={props.onClick}
    >
      {props.label}
    </Button>
  )
}
