import { Badge, Button } from "@mantine/core"
import { IconPlus, IconRoute2 } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { componentsOf, flowsQuery } from "./flows.queries.ts"
import { flowMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(flowsQuery)

export function FlowListPage() {
  const t = useMessages(flowMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: flows } = useSuspenseQuery(flowsQuery)
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: flows.length })}>
        {may("add/flow") ? (
          <Button component={Link} to={paths.flowNew} leftSection={<IconPlus size={16} />}>
            {t("add")}
          </Button>
        ) : null}
      </PageHeader>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {flows.length === 0 ? (
          <EmptyState icon={IconRoute2} title={t("emptyTitle")} text={t("emptyText")} />
        ) : (
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t("name")}</th>
                <th>{t("pages")}</th>
                <th>{t("fields")}</th>
                <th className="from-sm">{t("version")}</th>
                <th className="from-sm">{t("changed")}</th>
              </tr>
            </thead>
            <tbody>
              {flows.map((flow) => (
                <tr key={flow._id}>
                  <td>
                    <Link to={paths.flow} params={{ flowId: flow._id }} className="row-link">
                      {flow.name}
                    </Link>{" "}
                    {flow.isDefault ? <Badge color="gray">{t("default")}</Badge> : null}
                  </td>
                  <td>{flow.pages.length}</td>
                  <td>{componentsOf(flow).length}</td>
                  <td className="quiet from-sm">{flow.version}</td>
                  <td className="quiet from-sm">{formats.dateTime(flow.updatedTime)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  )
}
