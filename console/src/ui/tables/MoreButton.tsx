import { Button } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"

interface PagedList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

/** Reads the next page of a list that is read page by page. */
export function MoreButton({ list }: { list: PagedList }) {
  const t = useMessages(shellMessages)
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="default"
      m="md"
      style={{ alignSelf: "flex-start" }}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {t("showMore")}
    </Button>
  )
}
