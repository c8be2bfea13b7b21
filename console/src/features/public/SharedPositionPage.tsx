import "../../ui/StatusBadge.css"
import { Skeleton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { responseOf } from "../../api/client.ts"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useNow } from "../../ui/now.ts"
import { publicMessages } from "./messages.ts"
import { PublicFrame, usePublicFormats } from "./PublicFrame.tsx"

const PublicMap = lazy(() => import("./PublicMap.tsx"))
const refreshMilliseconds = 15_000

interface SharedPosition {
  _id: string
  lat: number
  lon: number
  createdTime: string
}

/** The last known position behind a link, and nothing else. */
export function SharedPositionPage() {
  const t = useMessages(publicMessages)
  const tError = useMessages(errorMessages)
  const formats = usePublicFormats()
  const now = useNow(5_000)
  const { token } = useSearch({ from: paths.sharedPosition })
  const { data, error, isPending } = useQuery({
    queryKey: ["shared-position", token],
    queryFn: async ({ signal }) => {
      const path = `/api/v3/location-history/tracking/${encodeURIComponent(token ?? "")}`
      const call = fetch(path, { signal, headers: { accept: "application/json" } })
      const { tasks } = await responseOf(
        call.then(async (response) => {
          const body: unknown = await response.json().catch(() => ({}))
          return { response, error: body, data: body as { tasks: { data: SharedPosition[] } } }
        }),
      )
      return tasks.data[0] ?? null
    },
    retry: false,
    refetchInterval: ({ state }) => (state.error ? false : refreshMilliseconds),
  })
  return (
    <PublicFrame title={error ? t("gone") : t("sharedTitle")}>
      {error ? (
        <p role="alert">{errorText(error, tError)}</p>
      ) : isPending ? (
        <Skeleton h={240} />
      ) : data ? (
        <>
          <div className="public-map">
            <Suspense fallback={<Skeleton h="100%" />}>
              <PublicMap
                places={[
                  {
                    id: data._id,
                    lat: data.lat,
                    lng: data.lon,
                    label: t("sharedTitle"),
                    kind: "destination",
                  },
                ]}
              />
            </Suspense>
          </div>
          <p role="status">
            {t("lastSeen", { ago: formats.ago(data.createdTime, now) })} ·{" "}
            {formats.dateTime(data.createdTime)}
          </p>
          <p className="quiet">{t("refreshed")}</p>
        </>
      ) : (
        <p role="status">{t("nothingYet")}</p>
      )}
    </PublicFrame>
  )
}
