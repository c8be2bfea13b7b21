import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { FormError } from "../../ui/FormError.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { routeMessages } from "./messages.ts"
import { historyQuery, type Result, restoreVersion } from "./routes.queries.ts"

/** What was changed by hand, newest first, and the way back. */
export function VersionList({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const client = useQueryClient()
  const { data: entries = [] } = useQuery(historyQuery(result._id))
  const restore = useMutation({
    mutationFn: (version: number) => restoreVersion(result._id, version),
    onSuccess: (answer) => {
      notifyDone(t("restored"))
      client.setQueryData(["routing-result", result._id], answer.data)
    },
  })
  const versions = [
    ...entries.map(({ version, description, createdTime }) => ({
      version,
      text: description,
      time: createdTime,
    })),
    { version: 0, text: t("firstPlan"), time: result.finishTime ?? result.createdTime ?? "" },
  ]
  return (
    <>
      {entries.length === 0 ? (
        <p className="quiet" style={{ padding: "12px 16px" }}>
          {t("noVersions")}
        </p>
      ) : null}
      <FormError error={restore.error} />
      <table className="plain-table">
        <tbody>
          {versions.map(({ version, text, time }) => (
            <tr key={version}>
              <td>{text}</td>
              <td className="quiet from-sm">{formats.dateTime(time)}</td>
              <td align="right">
                {version === result.currentVersion ? (
                  <span className="quiet">{t("current")}</span>
                ) : may("edit/result") ? (
                  <Button
                    size="compact-sm"
                    variant="light"
                    loading={restore.isPending && restore.variables === version}
                    onClick={() => restore.mutate(version)}
                  >
                    {t("restore")}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
