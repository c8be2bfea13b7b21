import { IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { answerOf, api } from "../../api/client.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { settingsMessages } from "./messages.ts"

const mostEntries = 200

export function AuditPage() {
  const t = useMessages(settingsMessages)
  const formats = useFormats()
  const { data: entries } = useQuery({
    queryKey: ["audit-log"],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/v3/audit-log", { params: { query: { limit: mostEntries } }, signal })))
        .data.data,
  })
  if (entries?.length === 0)
    return <EmptyState icon={IconHistory} title={t("auditEmpty")} text={t("auditText")} />
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t("when")}</th>
          <th>{t("who")}</th>
          <th>{t("what")}</th>
          <th>{t("target")}</th>
          <th className="from-md">{t("address")}</th>
        </tr>
      </thead>
      <tbody>
        {(entries ?? []).map((entry) => (
          <tr key={entry._id}>
            <td className="quiet">{formats.dateTime(entry.time)}</td>
            <td>{entry.actor ?? t("system")}</td>
            <td>
              <code>{entry.action}</code>
            </td>
            <td>{entry.targetName ?? entry.targetId ?? ""}</td>
            <td className="quiet from-md">{entry.address ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
