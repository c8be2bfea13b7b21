import "../../../ui/StatusBadge.css"
import "./imports.css"
import { IconDatabase, IconFileUpload } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { ImportStatus } from "./ImportStatus.tsx"
import { type Import, importsQuery } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"
import { ReadingStatus, useReadingTitle } from "./ReadingStatus.tsx"
import { readingMessages } from "./reading-messages.ts"
import { readingsQuery } from "./readings.queries.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(importsQuery)

/** What was read from other systems and may be imported. */
function ReadingTable() {
  const t = useMessages(readingMessages)
  const tImport = useMessages(importMessages)
  const titleOf = useReadingTitle()
  const formats = useFormats()
  const { data: readings = [] } = useQuery(readingsQuery)
  if (readings.length === 0) return null
  return (
    <section aria-labelledby="readings-title">
      <h2 id="readings-title" className="list-title">
        {t("listTitle")}
      </h2>
      <DataTable
        rows={readings}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("of"),
            className: "breakable",
            cell: (entry) => (
              <Link to={paths.reading} params={{ readingId: entry._id }} className="row-link">
                {titleOf(entry)}
              </Link>
            ),
          },
          { title: tImport("status"), cell: (entry) => <ReadingStatus reading={entry} /> },
          { title: t("rows"), kind: "number", cell: (entry) => formats.number(entry.rowCount) },
          {
            title: tImport("when"),
            from: "sm",
            kind: "quiet",
            cell: (entry) => formats.dateTime(entry.createdTime),
          },
        ]}
      />
    </section>
  )
}

export function ImportListPage() {
  const t = useMessages(importMessages)
  const { data: imports } = useSuspenseQuery(importsQuery)
  const start = (
    <>
      <ActionButton
        icon={IconDatabase}
        label={t("dataTitle")}
        variant="default"
        component={Link}
        to={paths.importData}
      />
      <ActionButton icon={IconFileUpload} label={t("new")} component={Link} to={paths.importTasks} />
    </>
  )
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: imports.length })}>
        {imports.length > 0 ? start : null}
      </PageHeader>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {imports.length === 0 ? (
          <EmptyState icon={IconFileUpload} title={t("emptyTitle")} text={t("emptyText")}>
            {start}
          </EmptyState>
        ) : (
          <ImportTable imports={imports} />
        )}
        <ReadingTable />
      </div>
    </div>
  )
}

function ImportTable({ imports }: { imports: readonly Import[] }) {
  const t = useMessages(importMessages)
  const formats = useFormats()
  return (
    <DataTable
      rows={imports}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("file"),
          className: "breakable",
          cell: (entry) => (
            <Link to={paths.import} params={{ importId: entry._id }} className="row-link">
              {entry.filename}
            </Link>
          ),
        },
        {
          title: t("into"),
          from: "sm",
          kind: "quiet",
          cell: (entry) =>
            entry.type === "vehicle" || entry.type === "user"
              ? t(`list-${entry.type}s`)
              : (entry.flowName ?? entry.dataTypeName ?? entry.visitTypeName ?? entry.routeConfigName),
        },
        { title: t("status"), cell: (entry) => <ImportStatus record={entry} /> },
        { title: t("imported"), kind: "number", cell: (entry) => formats.number(entry.totalValid) },
        { title: t("refused"), kind: "number", cell: (entry) => formats.number(entry.totalInvalid) },
        { title: t("by"), from: "md", kind: "quiet", cell: (entry) => entry.createdBy },
        { title: t("when"), from: "sm", kind: "quiet", cell: (entry) => formats.dateTime(entry.createdTime) },
      ]}
    />
  )
}
