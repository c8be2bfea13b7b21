import { ActionIcon } from "@mantine/core"
import { IconColumns3 } from "@tabler/icons-react"
import { useMessages } from "../../../../i18n/language.tsx"
import { late } from "../../../../ui/late.tsx"
import type { Column } from "../../../../ui/VirtualGrid.tsx"
import { viewMessages } from "./view-messages.ts"

export interface ColumnChoiceProps {
  /** All columns; the first always stays. */
  columns: readonly Pick<Column<unknown>, "id" | "title">[]
  hidden: ReadonlySet<string>
  onToggle(id: string): void
}

const ColumnItems = late<ColumnChoiceProps>(() => import("./ColumnItems.tsx"))

export function ColumnChoice(props: ColumnChoiceProps) {
  const t = useMessages(viewMessages)
  return (
    <ColumnItems
      {...props}
      button={
        <ActionIcon variant="default" size={28} aria-label={t("columns")} title={t("columns")}>
          <IconColumns3 size={16} />
        </ActionIcon>
      }
    />
  )
}
