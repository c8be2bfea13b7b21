import { Group } from "@mantine/core"
import { IconCalendarShare, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { HistoryButton } from "../../../ui/history/HistoryButton.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { type CalendarFeed, deleteFeed, feedsQuery } from "./calendars.queries.ts"
import { FeedForm } from "./FeedForm.tsx"
import { calendarMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(feedsQuery)

/** One's own calendar feeds: what each shows, and whether a calendar app still reads it. */
export function CalendarsPage() {
  const t = useMessages(calendarMessages)
  const formats = useFormats()
  const { data: feeds } = useSuspenseQuery(feedsQuery)
  const [isAdding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<CalendarFeed>()
  const remove = useAction((feed: CalendarFeed) => deleteFeed(feed._id), {
    refreshes: [feedsQuery.queryKey],
    done: () => t("deleted"),
    failed: ({ name }) => name ?? t("gone"),
  })
  const add = <ActionButton icon={IconPlus} label={t("add")} onClick={() => setAdding(true)} />
  return (
    <>
      {feeds.length === 0 ? (
        <EmptyState icon={IconCalendarShare} title={t("empty")} text={t("text")}>
          {add}
        </EmptyState>
      ) : (
        <>
          <Group px={20} pb="sm" justify="space-between" gap="xs">
            <span className="quiet">{t("text")}</span>
            {add}
          </Group>
          <DataTable
            rows={feeds}
            keyOf={({ _id }) => _id}
            columns={[
              { title: t("name"), kind: "name", cell: ({ name }) => name ?? t("gone") },
              { title: t("shows"), cell: ({ kind }) => t(kind) },
              {
                title: t("lastRead"),
                from: "sm",
                kind: "quiet",
                cell: ({ readTime }) => (readTime ? formats.dateTime(readTime) : t("never")),
              },
              {
                title: t("delete"),
                kind: "actions",
                cell: (feed) => (
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    <HistoryButton
                      objectType="calendar-feed"
                      objectId={feed._id}
                      name={feed.name ?? t("gone")}
                    />
                    <IconButton
                      icon={IconTrash}
                      label={`${t("delete")}: ${feed.name ?? t("gone")}`}
                      onClick={() => setDeleting(feed)}
                    />
                  </Group>
                ),
              },
            ]}
          />
        </>
      )}
      {isAdding ? <FeedForm onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        isOpen={deleting !== undefined}
        title={t("deleteTitle", { name: deleting?.name ?? t("gone") })}
        text={t("deleteText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setDeleting(undefined)}
        onConfirm={() => deleting && remove.mutate(deleting)}
      />
    </>
  )
}
