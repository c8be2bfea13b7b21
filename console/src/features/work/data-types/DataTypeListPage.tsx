import { Button } from "@mantine/core"
import { IconDatabase, IconPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { Explained } from "../../../ui/Explained.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { dataTypesQuery } from "./data-types.queries.ts"
import { dataTypeMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(dataTypesQuery)

export function DataTypeListPage() {
  const t = useMessages(dataTypeMessages)
  const tShell = useMessages(shellMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: types } = useSuspenseQuery(dataTypesQuery)
  const create = (
    <Explained reason={may("add/dataType") ? undefined : tShell("needs", { permission: "add/dataType" })}>
      <Button component={Link} to={paths.dataTypeNew} leftSection={<IconPlus size={16} />}>
        {t("new")}
      </Button>
    </Explained>
  )
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
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t("name")}</th>
                <th className="from-sm">{t("fields")}</th>
                <th>{t("scope")}</th>
                <th className="from-sm">{t("changed")}</th>
                <th aria-label={t("edit")} />
              </tr>
            </thead>
            <tbody>
              {types.map((type) => (
                <tr key={type._id}>
                  <td>
                    <Link to={paths.dataType} params={{ dataTypeId: type._id }} className="row-link">
                      {type.name}
                    </Link>
                  </td>
                  <td className="quiet from-sm">{type.fields.map((field) => field.title).join(", ")}</td>
                  <td className="quiet">
                    {type.provider === "external-api"
                      ? t("external")
                      : type.commonData
                        ? t("scopeCommon")
                        : t("scopeHub")}
                  </td>
                  <td className="quiet from-sm">{formats.dateTime(type.updatedTime)}</td>
                  <td align="right">
                    {may("edit/dataType") ? (
                      <Button
                        component={Link}
                        to={paths.dataTypeEdit}
                        params={{ dataTypeId: type._id } as never}
                        size="compact-sm"
                        variant="default"
                        aria-label={`${t("edit")}: ${type.name}`}
                      >
                        {t("edit")}
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  )
}
