import { Button } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { answerOf, api } from "../../api/client.ts"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { notifyDone, notifyFailed } from "../../ui/notify.ts"
import { settingsMessages } from "./messages.ts"

const mostEntries = 200

export function TrashPage() {
  const t = useMessages(settingsMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const { data: entries } = useQuery({
    queryKey: ["trash"],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/v3/trash", { params: { query: { limit: mostEntries } }, signal }))).data
        .data,
  })
  const restore = useMutation({
    mutationFn: (entry: { trashId: string; name: string }) =>
      answerOf(api.POST("/api/v3/trash/{trashId}/restore", { params: { path: { trashId: entry.trashId } } })),
    onSuccess: async (_answer, { name }) => {
      notifyDone(t("restored", { name }))
      await client.invalidateQueries()
    },
    onError: (error, { name }) => notifyFailed(name, errorText(error, tError)),
  })
  if (entries?.length === 0)
    return <EmptyState icon={IconTrash} title={t("trashEmpty")} text={t("trashText")} />
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t("name")}</th>
          <th>{t("kind")}</th>
          <th className="from-sm">{t("deletedBy")}</th>
          <th className="from-sm">{t("when")}</th>
          <th aria-label={t("restore")} />
        </tr>
      </thead>
      <tbody>
        {(entries ?? []).map((entry) => (
          <tr key={entry._id}>
            <td style={{ fontWeight: 550 }}>{entry.name}</td>
            <td className="quiet">{entry.type}</td>
            <td className="quiet from-sm">{entry.deletedBy}</td>
            <td className="quiet from-sm">{formats.dateTime(entry.deletedTime)}</td>
            <td align="right">
              {entry.isRestorable ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${t("restore")}: ${entry.name ?? ""}`}
                  onClick={() => restore.mutate({ trashId: entry._id ?? "", name: entry.name ?? "" })}
                >
                  {t("restore")}
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
