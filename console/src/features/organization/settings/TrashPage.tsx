import { Button, Checkbox, Group } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconTrash } from "@tabler/icons-react"
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import type { PageLoader } from "../../../page-loader.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { notifyFailed } from "../../../ui/notify.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import { aboutText, auditMessages } from "./audit-messages.ts"
import { settingsMessages } from "./messages.ts"

const entriesAtOnce = 100
const searchDelayMilliseconds = 250
/** The API restores at most so many in a call. */
const maxPerCall = 1_000

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
  const tAction = useMessages(auditMessages)
  const people = usePeopleNames()
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const restoreMany = useAction(
    async (trashIds: readonly string[]) => {
      const results = { success: 0, refused: [] as string[] }
      for (let start = 0; start < trashIds.length; start += maxPerCall) {
        const part = trashIds.slice(start, start + maxPerCall)
        const { success, data } = await server.post("/api/v3/trash/restore", { body: { trashIds: part } })
        results.success += success
        results.refused.push(...data.filter(({ status }) => !status).map(({ message }) => message))
      }
      return results
    },
    {
      done: ({ success }) => t("restoredMany", { count: success }),
      failed: () => t("restore"),
      onDone: async ({ refused }) => {
        setSelected(new Set())
        if (refused.length > 0)
          notifyFailed(
            t("notRestored", { count: refused.length }),
            [...new Set(refused)].slice(0, 3).join(". "),
          )
        await client.invalidateQueries()
      },
    },
  )
  const restoreAction = async (actionId: string) => {
    const ids: string[] = []
    for (let page = 1; ; page += 1) {
      const query = { actionId, limit: maxPerCall, page, sortOrder: "asc" }
      const found = await server.get("/api/v3/trash", { query })
      ids.push(...found.data.flatMap(({ _id }) => _id ?? []))
      if (!found.next_page_url) break
    }
    restoreMany.mutate(ids)
  }
  const select = (trashId: string, isSelected: boolean) =>
    setSelected((current) => {
      const next = new Set(current)
      if (isSelected) next.add(trashId)
      else next.delete(trashId)
      return next
    })
  const ofAction = Map.groupBy(entries ?? [], ({ actionId }) => actionId ?? "")
  if (entries?.length === 0 && q === "")
    return <EmptyState icon={IconTrash} title={t("trashEmpty")} text={t("trashText")} />
  return (
    <>
      <div className="toolbar">
        <SearchInput label={t("trashSearch")} value={words} onChange={setWords} w={240} />
      </div>
      {selected.size > 0 ? (
        <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
          <Button
            size="xs"
            variant="white"
            color="dark"
            loading={restoreMany.isPending}
            onClick={() => restoreMany.mutate([...selected])}
          >
            {t("restore")}
          </Button>
        </SelectionBar>
      ) : null}
      <DataTable
        rows={entries ?? []}
        keyOf={({ _id }) => _id ?? ""}
        columns={[
          {
            title: t("select"),
            kind: "actions",
            cell: ({ _id = "", name = "", isRestorable }) =>
              isRestorable ? (
                <Checkbox
                  aria-label={`${t("select")}: ${name}`}
                  checked={selected.has(_id)}
                  onChange={(event) => select(_id, event.currentTarget.checked)}
                />
              ) : null,
          },
          { title: t("name"), kind: "name", cell: (entry) => entry.name },
          {
            title: t("kind"),
            from: "sm",
            kind: "quiet",
            cell: (entry) => kindText(entry.type ?? "", tAction),
          },
          {
            title: t("deletedBy"),
            from: "sm",
            kind: "quiet",
            cell: ({ deletedBy: by }) => people.get(by ?? "") ?? by,
          },
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
                <Group gap="xs" justify="flex-end">
                  {entry.actionId &&
                  (ofAction.get(entry.actionId)?.length ?? 0) > 1 &&
                  ofAction.get(entry.actionId)?.[0] === entry ? (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      loading={restoreMany.isPending}
                      onClick={() => void restoreAction(entry.actionId ?? "")}
                    >
                      {t("restoreAction")}
                    </Button>
                  ) : null}
                  <RowButton
                    label={t("restore")}
                    of={entry.name ?? ""}
                    onClick={() => restore.mutate({ trashId: entry._id ?? "", name: entry.name ?? "" })}
                  />
                </Group>
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

/** The trash calls some kinds otherwise than the audit log. */
const otherNames: Record<string, string> = { Data: "record", "Routing Result": "result" }

function kindText(type: string, t: Translate<typeof auditMessages>): string {
  return aboutText(otherNames[type] ?? type.toLowerCase().replaceAll(" ", "-"), t)
}
