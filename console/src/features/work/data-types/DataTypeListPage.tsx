import { IconDatabase, IconPlus } from "@tabler/icons-react"
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
import { ButtonLink } from "../../../ui/links.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { dataTypesQuery } from "./data-types.queries.ts"
import { dataTypeMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(dataTypesQuery)

export function DataTypeListPage() {
  const t = useMessages(dataTypeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: types } = useSuspenseQuery(dataTypesQuery)
  const create = may("add/dataType") ? (
    <ActionButton icon={IconPlus} label={t("new")} component={Link} to={paths.dataTypeNew} />
  ) : null
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: types.length })}>
        {types.length > 0 ? create : null}
      </PageHeader>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {types.length === 0 ? (
          <EmptyState icon={IconDatabase} title={t("emptyTitle")} text={t("emptyText")}>
            {create}
          </EmptyState>
        ) : (
          <DataTable
            rows={types}
            keyOf={({ _id }) => _id}
            columns={[
              {
                title: t("name"),
                cell: (type) => (
                  <Link to={paths.dataType} params={{ dataTypeId: type._id }} className="row-link">
                    {type.name}
                  </Link>
                ),
              },
              {
                title: t("fields"),
                from: "sm",
                kind: "quiet",
                cell: (type) => type.fields.map((field) => field.title).join(", "),
              },
              {
                title: t("scope"),
                kind: "quiet",
                cell: (type) =>
                  type.provider === "external-api"
                    ? t("external")
                    : type.commonData
                      ? t("scopeCommon")
                      : t("scopeHub"),
              },
              {
                title: t("changed"),
                from: "sm",
                kind: "quiet",
                cell: (type) => formats.dateTime(type.updatedTime),
              },
              {
                title: t("edit"),
                kind: "actions",
                cell: (type) =>
                  may("edit/dataType") ? (
                    <ButtonLink
                      to={paths.dataTypeEdit}
                      params={{ dataTypeId: type._id }}
                      size="compact-sm"
                      variant="default"
                      aria-label={`${t("edit")}: ${type.name}`}
                    >
                      {t("edit")}
                    </ButtonLink>
                  ) : null,
              },
            ]}
          />
        )}
      </div>
    </div>
  )
}
