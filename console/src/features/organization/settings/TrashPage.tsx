import { Button, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconSearch, IconTrash } from "@tabler/icons-react"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { settingsMessages } from "./messages.ts"

const entriesAtOnce = 100
const searchDelayMilliseconds = 250

export function TrashPage() {
  const t = useMessages(settingsMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const [words, setWords] = useState("")
  const [q] = useDebouncedValue(words.trim(), searchDelayMilliseconds)
  const trash = useInfiniteQuery({
    queryKey: ["trash", q],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: entriesAtOnce, page: pageParam, ...(q ? { q } : {}) }
      return responseOf(api.GET("/api/v3/trash", { params: { query }, signal }))
    },
    getNextPageParam: (last, pages) => (last.next_page_url ? pages.length + 1 : undefined),
  })
  const entries = trash.data?.pages.flatMap((page) => page.data)
  const restore = useMutation({
    mutationFn: (entry: { trashId: string; name: string }) =>
      responseOf(
        api.POST("/api/v3/trash/{trashId}/restore", { params: { path: { trashId: entry.trashId } } }),
      ),
    onSuccess: async ({ data }, { name }) => {
      notifyDone(t(data.isInvited ? "restoredInvited" : "restored", { name }))
      await client.invalidateQueries()
    },
    onError: (error, { name }) => notifyFailed(name, errorText(error, tError)),
  })
  if (entries?.length === 0 && q === "")
    return <EmptyState icon={IconTrash} title={t("trashEmpty")} text={t("trashText")} />
  return (
    <>
      <div className="toolbar">
        <TextInput
          aria-label={t("trashSearch")}
          placeholder={t("trashSearch")}
          leftSection={<IconSearch size={16} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          w={240}
        />
      </div>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("name")}</th>
            <th>{t("kind")}</th>
            <th className="from-sm">{t("deletedBy")}</th>
            <th className="from-sm">{t("when")}</th>
            <th aria-label={t("restore")} />
          </tr>
        </thead>
        <tbody>
          {(entries ?? []).map((entry) => (
            <tr key={entry._id}>
              <td style={{ fontWeight: 550 }}>{entry.name}</td>
              <td className="quiet">{entry.type}</td>
              <td className="quiet from-sm">{entry.deletedBy}</td>
              <td className="quiet from-sm">{formats.dateTime(entry.deletedTime)}</td>
              <td align="right">
                {entry.isRestorable ? (
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
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {trash.hasNextPage ? (
        <Button
          variant="default"
          m="md"
          loading={trash.isFetchingNextPage}
          onClick={() => void trash.fetchNextPage()}
          style={{ alignSelf: "flex-start" }}
        >
          {t("more")}
        </Button>
      ) : null}
    </>
  )
}
