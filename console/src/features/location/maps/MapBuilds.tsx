import { Badge, Button, Progress } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useNow } from "../../../ui/now.ts"
import { cancelBuild, isInProgress, type MapBuild } from "./maps.queries.ts"
import { mapMessages } from "./messages.ts"

const maxShown = 10
const colors = { waiting: "gray", running: "blue", done: "pine", failed: "red", cancelled: "gray" } as const

/** The last builds, with the progress of those that run and the reason of those that failed. */
export function MapBuilds({
  builds,
  onChanged,
}: {
  builds: readonly MapBuild[]
  onChanged(): Promise<unknown>
}) {
  const t = useMessages(mapMessages)
  const formats = useFormats()
  const now = useNow(10_000)
  const cancel = useAction((id: string) => cancelBuild(id), { onDone: () => onChanged() })
  if (builds.length === 0) return null
  const statusOf = ({ status, step, progress }: MapBuild) =>
    status === "running"
      ? t("running", { step: step ?? "", percent: String(Math.round(progress * 100)) })
      : t(status)
  return (
    <section aria-label={t("builds")}>
      <h2 className="panel-heading section-note">{t("builds")}</h2>
      <FormError error={cancel.error} />
      <table className="plain-table">
        <tbody>
          {builds.slice(0, maxShown).map((build) => (
            <tr key={build.id}>
              <td>
                <strong>{build.region}</strong>
                <div className="quiet breakable">{build.source}</div>
              </td>
              <td>
                <Badge color={colors[build.status]}>{statusOf(build)}</Badge>
                {build.status === "running" ? (
                  <Progress value={build.progress * 100} size="xs" mt={4} />
                ) : null}
                {build.error ? <div className="overdue">{build.error}</div> : null}
              </td>
              <td className="quiet from-sm map-build-age">{formats.ago(build.updatedTime, now)}</td>
              <td align="right">
                {isInProgress(build) ? (
                  <Button size="compact-sm" variant="default" onClick={() => cancel.mutate(build.id)}>
                    {t("cancel")}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
