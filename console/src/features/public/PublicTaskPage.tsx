import "./public.css"
import "../work/tasks/panel/panel.css"
import "../../ui/StatusBadge.css"
import { Button, Skeleton } from "@mantine/core"
import { IconPhone } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { api, responseOf } from "../../api/client.ts"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useNow } from "../../ui/now.ts"
import { StatusBadge } from "../../ui/StatusBadge.tsx"
import { withHeadingText } from "../work/tasks/tasks.queries.ts"
import { publicMessages } from "./messages.ts"
import { PublicFrame, usePublicFormats } from "./PublicFrame.tsx"
import type { PublicPlace } from "./PublicMap.tsx"

const PublicMap = lazy(() => import("./PublicMap.tsx"))
const refreshMilliseconds = 15_000

interface PublicTask {
  title: string | null
  content: string | null
  flow: string
  status: "UNASSIGNED" | "ONGOING" | "DONE"
  expectedCoordinate: string | null
  histories: { _id: string; notes: string; createdAt: string }[]
}

type PublicPosition = {
  email: string
  lat: string
  lon: string
  createdTime: string
  user: { name: string; phoneNumber: string | null }
}

/** What the receiver of a task sees by its link: the state, and where the person is while it is on its way. */
export function PublicTaskPage() {
  const t = useMessages(publicMessages)
  const tError = useMessages(errorMessages)
  const formats = usePublicFormats()
  const now = useNow(5_000)
  const { taskId } = useParams({ from: "/tracking/$taskId" })
  const { data, error } = useQuery({
    queryKey: ["public-task", taskId],
    queryFn: async ({ signal }) => {
      const call = api.GET("/api/v3/task/public/{taskId}", { params: { path: { taskId } }, signal })
      const shared = (await responseOf(call)).data
      return {
        task: withHeadingText<PublicTask>(shared.task),
        positions: shared.location as PublicPosition[],
      }
    },
    refetchInterval: ({ state }) => (state.data?.task.status === "DONE" ? false : refreshMilliseconds),
  })
  if (error && !data)
    return (
      <PublicFrame title={t("gone")}>
        <p role="alert">{errorText(error, tError)}</p>
      </PublicFrame>
    )
  if (!data)
    return (
      <PublicFrame title={t("loading")}>
        <Skeleton h={240} />
      </PublicFrame>
    )
  const { task, positions } = data
  const places: PublicPlace[] = [
    ...destinationOf(task.expectedCoordinate, t("destination")),
    ...positions.map((position) => ({
      id: position.email,
      lat: Number(position.lat),
      lng: Number(position.lon),
      label: position.user.name,
      kind: "person" as const,
    })),
  ]
  const words = { UNASSIGNED: t("waiting"), ONGOING: t("onItsWay"), DONE: t("done") }[task.status]
  return (
    <PublicFrame title={task.title ?? task.flow}>
      {task.content ? <p className="quiet">{task.content}</p> : null}
      <div role="status">
        <StatusBadge status={task.status} label={words} />
      </div>
      {places.length > 0 ? (
        <div className="public-map">
          <Suspense fallback={<Skeleton h="100%" />}>
            <PublicMap places={places} />
          </Suspense>
        </div>
      ) : null}
      {task.status === "ONGOING" && positions.length === 0 ? (
        <p className="quiet">{t("noPosition")}</p>
      ) : null}
      {positions.map((position) => (
        <div key={position.email} className="field-session">
          <span>
            <strong>{position.user.name}</strong>{" "}
            <span className="quiet">{t("lastSeen", { ago: formats.ago(position.createdTime, now) })}</span>
          </span>
          {position.user.phoneNumber ? (
            <Button
              component="a"
              href={`tel:${position.user.phoneNumber}`}
              variant="default"
              leftSection={<IconPhone size={16} />}
              aria-label={t("call", { name: position.user.name, number: position.user.phoneNumber })}
            >
              <bdi dir="ltr">{position.user.phoneNumber}</bdi>
            </Button>
          ) : null}
        </div>
      ))}
      <section aria-label={t("history")}>
        <h2 className="panel-heading">{t("history")}</h2>
        <ol className="history">
          {task.histories.toReversed().map((entry) => (
            <li key={entry._id}>
              <span className="sentence">{entry.notes}</span>
              <time className="quiet" dateTime={entry.createdAt}>
                {formats.dateTime(entry.createdAt)}
              </time>
            </li>
          ))}
        </ol>
      </section>
      {task.status === "DONE" ? null : <p className="quiet">{t("refreshed")}</p>}
    </PublicFrame>
  )
}

function destinationOf(coordinate: string | null, label: string): PublicPlace[] {
  const [lat, lng] = (coordinate ?? "").split(",").map(Number)
  if (lat === undefined || lng === undefined || !Number.isFinite(lat) || !Number.isFinite(lng)) return []
  return [{ id: "destination", lat, lng, label, kind: "destination" }]
}
