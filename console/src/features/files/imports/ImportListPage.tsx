import "../../../ui/StatusBadge.css"
import { Button } from "@mantine/core"
import { IconFileUpload } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { ImportStatus } from "./ImportStatus.tsx"
import { type Import, importsQuery } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(importsQuery)

export function ImportListPage() {
  const t = useMessages(importMessages)
  const { data: imports } = useSuspenseQuery(importsQuery)
  const start = (
    <Button component={Link} to={paths.importTasks} leftSection={<IconFileUpload size={16} />}>
      {t("new")}
    </Button>
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
      </div>
    </div>
  )
}

function ImportTable({ imports }: { imports: readonly Import[] }) {
  const t = useMessages(importMessages)
  const formats = useFormats()
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t("file")}</th>
          <th className="from-sm">{t("into")}</th>
          <th>{t("status")}</th>
          <th style={{ textAlign: "right" }}>{t("imported")}</th>
          <th style={{ textAlign: "right" }}>{t("refused")}</th>
          <th className="from-md">{t("by")}</th>
          <th className="from-sm">{t("when")}</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((entry) => (
          <tr key={entry._id}>
            <td style={{ overflowWrap: "anywhere" }}>
              <Link to={paths.import} params={{ importId: entry._id }} className="row-link">
                {entry.filename}
              </Link>
            </td>
            <td className="quiet from-sm">
              {entry.flowName ?? entry.dataTypeName ?? entry.visitTypeName ?? entry.routeConfigName}
            </td>
            <td>
              <ImportStatus record={entry} />
            </td>
            <td align="right">{formats.number(entry.totalValid)}</td>
            <td align="right">{formats.number(entry.totalInvalid)}</td>
            <td className="quiet from-md">{entry.createdBy}</td>
            <td className="quiet from-sm">{formats.dateTime(entry.createdTime)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
