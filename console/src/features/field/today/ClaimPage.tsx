import "../field.css"
import { Button, Skeleton } from "@mantine/core"
import { IconMoodSmile } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { notifyStatus } from "../../../ui/notify.ts"
import { useIsReachable } from "../connection.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { fixNow } from "../kept/field-positions.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import { todayMessages } from "./today-messages.ts"

/** Work that nobody has yet, the nearest first. Taking it needs the server: exactly one person gets it. */
export function ClaimPage() {
  const t = useMessages(todayMessages)
  const formats = useFormats()
  const times = useStopTimes()
  const isReachable = useIsReachable()
  const { data, error } = useQuery({
    queryKey: ["tasks", "claimable"],
    enabled: isReachable,
    queryFn: async ({ signal }) => {
      const fix = await fixNow()
      return server.get("/api/v3/claimable-tasks", {
        query: fix ? { near: fix.coordinate } : {},
        signal,
      })
    },
  })
  const claim = useAction(
    ({ taskId }: { taskId: string; title: string }) =>
      server.post("/api/v3/task-claims/{taskId}", { taskId }),
    { refreshes: [["tasks"]], onDone: (_result, { title }) => notifyStatus(t("taken", { title })) },
  )
  return (
    <>
      <FieldHeader title={t("claimTitle")} />
      <main className="field-main">
        {isReachable ? null : <p className="field-notice">{t("claimOffline")}</p>}
        <FormError
          error={claim.error ?? error ?? undefined}
          title={claim.error ? t("notTaken", { title: claim.variables?.title ?? "" }) : undefined}
        />
        {data === undefined && !error && isReachable ? <Skeleton h={90} /> : null}
        {data?.data.length === 0 ? (
          <EmptyState icon={IconMoodSmile} title={t("claimNone")} text={t("claimNoneText")} />
        ) : null}
        <ul className="field-tasks">
          {data?.data.map(({ _id, title, content, startTime, endTime, distance }) => (
            <li key={_id} className="stop-card">
              <strong className="stop-title" dir="auto">
                {title}
              </strong>
              {/* Each by itself: an address in one writing direction would mix with times in another. */}
              {content ? (
                <span className="quiet" dir="auto">
                  {content}
                </span>
              ) : null}
              <span className="quiet">{times.between(startTime, endTime)}</span>
              {distance === null ? null : (
                <span className="quiet">{t("away", { distance: formats.distance(distance) })}</span>
              )}
              <Button
                size="lg"
                loading={claim.isPending && claim.variables.taskId === _id}
                disabled={!isReachable || claim.isPending}
                aria-label={`${t("take")}: ${title}`}
                onClick={() => claim.mutate({ taskId: _id, title })}
              >
                {t("take")}
              </Button>
            </li>
          ))}
        </ul>
      </main>
    </>
  )
}
