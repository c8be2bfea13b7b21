import { Badge, Button, Group, Select } from "@mantine/core"
import { IconMessageCircle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { customerMessages } from "./messages.ts"

const maxEntries = 200
const feedbackKey = ["customer-feedback"]

/** Ratings and replies of customers, and the averages per driver, hub or flow. */
export function FeedbackList() {
  const t = useMessages(customerMessages)
  const formats = useFormats()
  const [by, setBy] = useState<"driver" | "hub" | "flow">("driver")
  const { data: entries } = useQuery({
    queryKey: [...feedbackKey, "list"],
    queryFn: async ({ signal }) =>
      (await dataOf(server.get("/api/v3/customer-feedback", { query: { limit: maxEntries }, signal }))).data,
  })
  const { data: summary = [] } = useQuery({
    queryKey: [...feedbackKey, by],
    queryFn: ({ signal }) =>
      dataOf(server.get("/api/v3/customer-feedback/summary", { query: { by }, signal })),
  })
  const read = useAction(
    (feedbackId: string) => server.put("/api/v3/customer-feedback/{feedbackId}/read", { feedbackId }),
    { refreshes: [feedbackKey], failed: () => t("feedbackTab") },
  )
  if (!entries) return null
  if (entries.length === 0)
    return <EmptyState icon={IconMessageCircle} title={t("feedbackEmpty")} text={t("feedbackEmptyText")} />
  return (
    <>
      <Group align="end" mb="md">
        <Select
          label={t("ratingsBy")}
          allowDeselect={false}
          data={(["driver", "hub", "flow"] as const).map((value) => ({ value, label: t(`by_${value}`) }))}
          value={by}
          onChange={(value) => setBy((value as typeof by | null) ?? "driver")}
        />
        {summary.slice(0, 6).map(({ key, count, average }) => (
          <Badge key={key ?? ""} variant="light" size="lg" className="breakable">
            {key ?? "–"}: {average.toFixed(1)} ★ ({count})
          </Badge>
        ))}
      </Group>
      <DataTable
        rows={entries}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("task"),
            kind: "name",
            cell: ({ taskTitle, stars, kind }) => (
              <>
                {taskTitle ?? "–"}{" "}
                {stars === null ? (
                  <Badge color="gray">{t(kind === "reply" ? "reply" : "rating")}</Badge>
                ) : (
                  <span role="img" aria-label={t("starCount", { count: stars })}>
                    {"★".repeat(stars)}
                    {"☆".repeat(5 - stars)}
                  </span>
                )}
              </>
            ),
          },
          {
            title: t("comment"),
            cell: ({ comment }) => <span className="customer-comment">{comment ?? ""}</span>,
          },
          { title: t("driver"), from: "md", kind: "quiet", cell: ({ driver }) => driver ?? "" },
          {
            title: t("when"),
            from: "sm",
            kind: "quiet",
            cell: ({ createdTime }) => formats.dateTime(createdTime),
          },
          {
            title: t("read"),
            kind: "actions",
            cell: ({ _id, readTime }) =>
              readTime ? null : (
                <Button size="compact-sm" variant="default" onClick={() => read.mutate(_id)}>
                  {t("markRead")}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}
