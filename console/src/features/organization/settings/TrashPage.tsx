import { Button } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconTrash } from "@tabler/icons-react"
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { settingsMessages } from "./messages.ts"

const entriesAtOnce = 100
const searchDelayMilliseconds = 250

const trashQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ["trash", q],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: entriesAtOnce, page: pageParam, ...(q && { q }) }
      return server.get("/api/v3/trash", { query, signal })
    },
    getNextPageParam: (last, pages) => (last.next_page_url ? pages.length + 1 : undefined),
  })

export const loader: PageLoader = ({ client }) => client.prefetchInfiniteQuery(trashQuery(""))

export function TrashPage() {
  const t = useMessages(settingsMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const [words, setWords] = useState("")
  const [q] = useDebouncedValue(words.trim(), searchDelayMilliseconds)
  const trash = useInfiniteQuery(trashQuery(q))
  const entries = trash.data?.pages.flatMap((page) => page.data)
  const restore = useAction(
    (entry: { trashId: string; name: string }) =>
      server.post("/api/v3/trash/{trashId}/restore", { trashId: entry.trashId }),
    {
      done: ({ data }, { name }) => t(data.isInvited ? "restoredInvited" : "restored", { name }),
      failed: ({ name }) => name,
      onDone: () => client.invalidateQueries(),
    },
  )
  if (entries?.length === 0 && q === "")
    return <EmptyState icon={IconTrash} title={t("trashEmpty")} text={t("trashText")} />
  return (
    <>
      <div className="toolbar">
        <SearchInput label={t("trashSearch")} value={words} onChange={setWords} w={240} />
      </div>
      <DataTable
        rows={entries ?? []}
        keyOf={({ _id }) => _id ?? ""}
        columns={[
          { title: t("name"), kind: "name", cell: (entry) => entry.name },
          { title: t("kind"), kind: "quiet", cell: (entry) => entry.type },
          { title: t("deletedBy"), from: "sm", kind: "quiet", cell: (entry) => entry.deletedBy },
          {
            title: t("when"),
            from: "sm",
            kind: "quiet",
            cell: (entry) => formats.dateTime(entry.deletedTime),
          },
          {
            title: t("restore"),
            kind: "actions",
            cell: (entry) =>
              entry.isRestorable ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${t("restore")}: ${entry.name ?? ""}`}
                  onClick={() => restore.mutate({ trashId: entry._id ?? "", name: entry.name ?? "" })}
                >
                  {t("restore")}
                </Button>
              ) : (
                <span className="quiet">{t("notRestorable")}</span>
              ),
          },
        ]}
      />
      <MoreButton list={trash} />
    </>
  )
}
