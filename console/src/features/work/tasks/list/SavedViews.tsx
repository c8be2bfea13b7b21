import { Button } from "@mantine/core"
import { IconBookmark } from "@tabler/icons-react"
import { useMessages } from "../../../../i18n/language.tsx"
import { late } from "../../../../ui/late.tsx"
import type { TaskSearch } from "./task-search.ts"
import { viewMessages } from "./view-messages.ts"

export interface SavedViewsProps {
  search: TaskSearch
  onChoose(search: TaskSearch): void
}

const SavedViewList = late<SavedViewsProps>(() => import("./SavedViewList.tsx"), "dialog")

export function SavedViews(props: SavedViewsProps) {
  const t = useMessages(viewMessages)
  return (
    <SavedViewList
      {...props}
      button={
        <Button variant="default" leftSection={<IconBookmark size={16} />}>
          {t("views")}
        </Button>
      }
    />
  )
}
