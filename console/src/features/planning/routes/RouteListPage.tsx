import { Progress } from "@mantine/core"
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
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { StatusBadge } from "../../../ui/StatusBadge.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
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
        <ActionButton
          icon={IconFileUpload}
          label={t("fromFile")}
          component={Link}
          to={paths.importTasks}
          variant="default"
        />
      ) : null}
      <ActionButton icon={IconListCheck} label={t("chooseTasks")} component={Link} to={paths.tasks} />
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
            <ActionButton
              icon={IconAdjustments}
              label={t("profiles")}
              component={Link}
              to={paths.routeProfiles}
              variant="subtle"
            />
            <ActionButton
              icon={IconPolygon}
              label={t("areas")}
              component={Link}
              to={paths.routeAreas}
              variant="subtle"
            />
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
    <DataTable
      rows={results.map((result) => ({ result, summary: summaryOf(result) }))}
      keyOf={({ result }) => result._id}
      columns={[
        {
          title: t("name"),
          cell: ({ result }) => (
            <Link to={paths.route} params={{ resultId: result._id }} className="row-link">
              {result.name}
            </Link>
          ),
        },
        { title: t("state"), cell: ({ result }) => <RouteState result={result} /> },
        {
          title: t("day"),
          from: "sm",
          kind: "quiet",
          cell: ({ result }) => formats.date(`${result.routingDate}T12:00:00Z`),
        },
        { title: t("visits"), kind: "number", cell: ({ summary }) => formats.number(summary.routedVisits) },
        {
          title: t("droppedShort"),
          from: "sm",
          kind: "number",
          cell: ({ summary }) => formats.number(summary.droppedVisits),
        },
        {
          title: t("vehicles"),
          from: "md",
          kind: "number",
          cell: ({ summary }) => formats.number(summary.usedVehicles),
        },
        {
          title: t("distance"),
          from: "md",
          kind: "number",
          cell: ({ summary }) => formats.distance(summary.totalDistance),
        },
        {
          title: t("made"),
          from: "md",
          kind: "quiet",
          cell: ({ result }) => formats.dateTime(result.createdTime),
        },
      ]}
    />
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
  workload?: Record<"visits" | "minutes", { least: number; most: number }>
  totalCost?: number
  totalCo2?: number
}

export function summaryOf(result: { summary?: unknown }): RouteSummary {
  const summary = (result.summary ?? {}) as Partial<RouteSummary>
  return {
    routedVisits: summary.routedVisits ?? 0,
    droppedVisits: summary.droppedVisits ?? 0,
    usedVehicles: summary.usedVehicles ?? 0,
    totalDistance: summary.totalDistance ?? 0,
    totalSpentTime: summary.totalSpentTime ?? 0,
    ...(summary.workload === undefined ? {} : { workload: summary.workload }),
    ...(summary.totalCost === undefined ? {} : { totalCost: summary.totalCost }),
    ...(summary.totalCo2 === undefined ? {} : { totalCo2: summary.totalCo2 }),
  }
}
