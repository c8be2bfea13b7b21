import { Button } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { historyMessages } from "../../../ui/history/history-messages.ts"
import { ObjectHistory } from "../../../ui/history/ObjectHistory.tsx"
import { routeMessages } from "./messages.ts"
import { historyQuery, type Result, restoreVersion } from "./routes.queries.ts"
import { BaseComparison, VersionComparison } from "./VersionComparison.tsx"

/** What was changed by hand, newest first, each compared with the current plan, with a button to restore it. */
export function VersionList({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const tHistory = useMessages(historyMessages)
  const formats = useFormats()
  const { may } = useSession()
  const client = useQueryClient()
  const { data: entries = [] } = useQuery(historyQuery(result._id))
  const [compared, setCompared] = useState<number>()
  const nameOf = (version: number) => (version === 0 ? t("firstPlan") : t("version", { count: version }))
  const restore = useAction((version: number) => restoreVersion(result._id, version), {
    done: () => t("restored"),
    onDone: (answer) => client.setQueryData(["routing-result", result._id], answer.data),
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
      {result.basedOn ? <BaseComparison result={result} baseId={result.basedOn} /> : null}
      {entries.length === 0 ? <p className="quiet comparison-text">{t("noVersions")}</p> : null}
      <FormError error={restore.error} />
      {compared !== undefined && compared !== result.currentVersion ? (
        <VersionComparison
          result={result}
          version={compared}
          nameOf={nameOf}
          onClose={() => setCompared(undefined)}
        />
      ) : null}
      <table className="plain-table">
        <tbody>
          {versions.map(({ version, text, time }) => (
            <tr key={version}>
              <td>
                {version === 0 ? (
                  text
                ) : (
                  <>
                    {nameOf(version)}: {text}
                  </>
                )}
              </td>
              <td className="quiet from-sm">{formats.dateTime(time)}</td>
              <td align="right">
                {version === result.currentVersion ? (
                  <span className="quiet">{t("current")}</span>
                ) : (
                  <span className="version-actions">
                    <Button size="compact-sm" variant="default" onClick={() => setCompared(version)}>
                      {t("compare")}
                    </Button>
                    {may("edit/result") ? (
                      <Button
                        size="compact-sm"
                        variant="light"
                        loading={restore.isPending && restore.variables === version}
                        onClick={() => restore.mutate(version)}
                      >
                        {t("restore")}
                      </Button>
                    ) : null}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <section className="comparison-text">
        <h2 className="panel-heading">{tHistory("history")}</h2>
        <ObjectHistory objectType="result" objectId={result._id} />
      </section>
    </>
  )
}
