import { Badge } from "@mantine/core"
import { IconPlus, IconRoute2 } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
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
          <ActionButton icon={IconPlus} label={t("add")} component={Link} to={paths.flowNew} />
        ) : null}
      </PageHeader>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {flows.length === 0 ? (
          <EmptyState icon={IconRoute2} title={t("emptyTitle")} text={t("emptyText")} />
        ) : (
          <DataTable
            rows={flows}
            keyOf={({ _id }) => _id}
            columns={[
              {
                title: t("name"),
                cell: (flow) => (
                  <>
                    <Link to={paths.flow} params={{ flowId: flow._id }} className="row-link">
                      {flow.name}
                    </Link>{" "}
                    {flow.isDefault ? <Badge color="gray">{t("default")}</Badge> : null}
                  </>
                ),
              },
              { title: t("pages"), cell: (flow) => flow.pages.length },
              { title: t("fields"), cell: (flow) => componentsOf(flow).length },
              { title: t("version"), from: "sm", kind: "quiet", cell: (flow) => flow.version },
              {
                title: t("changed"),
                from: "sm",
                kind: "quiet",
                cell: (flow) => formats.dateTime(flow.updatedTime),
              },
            ]}
          />
        )}
      </div>
    </div>
  )
}
