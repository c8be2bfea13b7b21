import "../../../ui/StatusBadge.css"
import "./exports.css"
import { Anchor, Badge, Button } from "@mantine/core"
import { IconDownload, IconFileDownload } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { exportsQuery } from "./exports.queries.ts"
import { exportMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(exportsQuery)

const statusColors: Record<string, string> = { Processing: "blue", Done: "pine", Failed: "red" }
const kinds = ["task", "data", "vehicle", "driver", "route", "report"] as const
const states = ["Processing", "Done", "Failed"] as const

export function ExportLogPage() {
  const t = useMessages(exportMessages)
  const formats = useFormats()
  const { data: entries } = useSuspenseQuery(exportsQuery)
  const kindName = (kind: string) => {
    const known = kinds.find((candidate) => candidate === kind)
    return known ? t(known) : kind
  }
  const stateName = (state: string) => {
    const known = states.find((candidate) => candidate === state)
    return known ? t(known) : state
  }
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("logText")} />
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {entries.length === 0 ? (
          <EmptyState icon={IconFileDownload} title={t("emptyTitle")} text={t("emptyText")}>
            <Button component={Link} to={paths.tasks}>
              {t("toTasks")}
            </Button>
          </EmptyState>
        ) : (
          <DataTable
            rows={entries}
            keyOf={({ id }) => id}
            columns={[
              { title: t("of"), kind: "name", cell: (entry) => kindName(entry.dataType) },
              {
                title: t("status"),
                cell: (entry) => (
                  <>
                    <Badge color={statusColors[entry.status] ?? "gray"}>{stateName(entry.status)}</Badge>
                    {entry.errorMessage ? <div className="overdue">{entry.errorMessage}</div> : null}
                  </>
                ),
              },
              {
                title: t("rows"),
                kind: "number",
                cell: (entry) => (entry.status === "Done" ? formats.number(entry.totalRecords) : ""),
              },
              {
                title: t("requested"),
                from: "sm",
                kind: "quiet",
                cell: (entry) => formats.dateTime(entry.requestAt),
              },
              {
                title: t("file"),
                cell: (entry) =>
                  entry.fileUrl ? (
                    <Anchor href={entry.fileUrl} download size="sm" className="file-link">
                      <IconDownload size={15} aria-hidden /> {entry.fileType.toUpperCase()}
                    </Anchor>
                  ) : null,
              },
            ]}
          />
        )}
      </div>
    </div>
  )
}
