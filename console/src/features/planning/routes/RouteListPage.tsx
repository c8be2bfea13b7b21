import { Button, Progress } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconAdjustments, IconFileUpload, IconListCheck, IconPolygon, IconRoute } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { SearchInput } from "../../../ui/SearchInput.tsx"
import { StatusBadge } from "../../../ui/StatusBadge.tsx"
import { routeMessages } from "./messages.ts"
import { type Result, resultsQuery } from "./routes.queries.ts"

export const loader: PageLoader = ({ client, search: { hub } }) =>
  client.prefetchQuery(resultsQuery({ hub: hub as string | undefined, s: undefined }))

export function RouteListPage() {
  const t = useMessages(routeMessages)
  const tShell = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  const hub = useChosenHub()
  const [text, setText] = useState("")
  const [search] = useDebouncedValue(text.trim(), 250)
  const { data, error, isPending } = useQuery(resultsQuery({ hub, s: search || undefined }))
  const results = data?.data ?? []
  const { may } = useSession()
  const choose = (
    <>
      {may("import/data") ? (
        <Button
          component={Link}
          to={paths.importTasks}
          variant="default"
          leftSection={<IconFileUpload size={16} />}
        >
          {t("fromFile")}
        </Button>
      ) : null}
      <Button component={Link} to={paths.tasks} leftSection={<IconListCheck size={16} />}>
        {t("chooseTasks")}
      </Button>
    </>
  )
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={isPending ? "" : t("count", { count: data?.total ?? 0 })}>
        {choose}
      </PageHeader>
      <div className="toolbar">
        <SearchInput label={t("search")} value={text} onChange={setText} w={220} />
        {may("view/configuration") ? (
          <>
            <span style={{ flex: 1 }} />
            <Button
              component={Link}
              to={paths.routeProfiles}
              variant="subtle"
              leftSection={<IconAdjustments size={16} />}
            >
              {t("profiles")}
            </Button>
            <Button
              component={Link}
              to={paths.routeAreas}
              variant="subtle"
              leftSection={<IconPolygon size={16} />}
            >
              {t("areas")}
            </Button>
          </>
        ) : null}
      </div>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {error ? (
          <EmptyState icon={IconRoute} title={tShell("failedTitle")} text={errorText(error, tError)} />
        ) : !isPending && results.length === 0 ? (
          <EmptyState icon={IconRoute} title={t("emptyTitle")} text={t("emptyText")}>
            {choose}
          </EmptyState>
        ) : (
          <RouteTable results={results} />
        )}
      </div>
    </div>
  )
}

function RouteTable({ results }: { results: readonly Result[] }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t("name")}</th>
          <th>{t("state")}</th>
          <th className="from-sm">{t("day")}</th>
          <th style={{ textAlign: "right" }}>{t("visits")}</th>
          <th className="from-sm" style={{ textAlign: "right" }}>
            {t("droppedShort")}
          </th>
          <th className="from-md" style={{ textAlign: "right" }}>
            {t("vehicles")}
          </th>
          <th className="from-md" style={{ textAlign: "right" }}>
            {t("distance")}
          </th>
          <th className="from-md">{t("made")}</th>
        </tr>
      </thead>
      <tbody>
        {results.map((result) => {
          const summary = summaryOf(result)
          return (
            <tr key={result._id}>
              <td>
                <Link to={paths.route} params={{ resultId: result._id }} className="row-link">
                  {result.name}
                </Link>
              </td>
              <td>
                <RouteState result={result} />
              </td>
              <td className="quiet from-sm">{formats.date(`${result.routingDate}T12:00:00Z`)}</td>
              <td align="right">{formats.number(summary.routedVisits)}</td>
              <td align="right" className="from-sm">
                {formats.number(summary.droppedVisits)}
              </td>
              <td align="right" className="from-md">
                {formats.number(summary.usedVehicles)}
              </td>
              <td align="right" className="from-md">
                {formats.distance(summary.totalDistance)}
              </td>
              <td className="quiet from-md">{formats.dateTime(result.createdTime)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Planning with its progress, else what became of it. */
export function RouteState({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  if (result.status === "ongoing")
    return (
      <span style={{ display: "inline-flex", alignItems: "center", gap: 8 }}>
        {t("ongoing")}
        <Progress
          value={100 * (result.progress?.share ?? 0)}
          w={60}
          size="sm"
          aria-label={t("planningTitle")}
        />
      </span>
    )
  if (result.status === "failed") return <StatusBadge status="failed" label={t("failed")} />
  return result.dispatchStatus ? (
    <StatusBadge status="DONE" label={t("dispatched")} />
  ) : (
    <StatusBadge status="ONGOING" label={t("done")} />
  )
}

export interface RouteSummary {
  routedVisits: number
  droppedVisits: number
  usedVehicles: number
  totalDistance: number
  totalSpentTime: number
}

export function summaryOf(result: { summary?: unknown }): RouteSummary {
  const summary = (result.summary ?? {}) as Partial<RouteSummary>
  return {
    routedVisits: summary.routedVisits ?? 0,
    droppedVisits: summary.droppedVisits ?? 0,
    usedVehicles: summary.usedVehicles ?? 0,
    totalDistance: summary.totalDistance ?? 0,
    totalSpentTime: summary.totalSpentTime ?? 0,
  }
}
