import { Alert, Badge, Skeleton, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { type ReportDimension, type ReportMetricName, reportMetrics } from "#shared/report-metrics.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { taskListOf } from "./drill-down.ts"
import { eventsSearchOf } from "./events-search.ts"
import { useFigureTexts } from "./figure-texts.ts"
import { insightMessages } from "./messages.ts"
import type { Bar } from "./ReportChart.tsx"
import { listNoteOf, listNotes, planOf, type ReportSearch, reportOfRow } from "./report-search.ts"
import { maxRows, type optionsOf, type Report, type ReportRow, reportQuery } from "./reports.queries.ts"

const ReportChart = lazy(() => import("./ReportChart.tsx"))
const maxBars = 62

interface ReportViewProps {
  options: ReturnType<typeof optionsOf>
  /** What the report is about: days, people and flows of its table lead to reports of their own. */
  search?: ReportSearch
  /** Tiles show the chart and the total alone. */
  isTile?: boolean
  /** Reads the figures again so often. */
  refreshMilliseconds?: number
}

/** A chart, and the table with the same figures, each of which leads to its tasks. */
export function ReportView({ options, search, isTile = false, refreshMilliseconds }: ReportViewProps) {
  const t = useMessages(insightMessages)
  const { data: report, error } = useQuery({
    ...reportQuery(options),
    ...(refreshMilliseconds ? { refetchInterval: refreshMilliseconds } : {}),
  })
  if (error) return <FormError error={error} />
  if (!report) return <Skeleton h={280} aria-label={t("loading")} />
  const shown = options.metric
  if (!shown) return <Text c="dimmed">{t("notByGroup")}</Text>
  return (
    <div className="report">
      {report.isComplete ? null : <Alert color="yellow">{t("incomplete")}</Alert>}
      {isTile ? (
        <TotalOf report={report} metric={shown} />
      ) : (
        <Totals report={report} metrics={options.metrics} />
      )}
      {report.rows.length === 0 ? (
        <Text c="dimmed">{t("nothing")}</Text>
      ) : (
        <>
          <Chart report={report} options={options} metric={shown} />
          {isTile ? null : (
            <ReportTable
              report={report}
              search={search}
              groupBy={options.groupBy}
              metrics={options.metrics}
            />
          )}
        </>
      )}
      {isTile ? null : <ListNotes metrics={options.metrics} />}
      {report.count > maxRows && !isTile ? (
        <Text c="dimmed">{t("more", { shown: maxRows, count: report.count })}</Text>
      ) : null}
    </div>
  )
}

function Totals({ report, metrics }: { report: Report; metrics: readonly ReportMetricName[] }) {
  return (
    <div className="report-totals">
      {metrics.map((metric) => (
        <TotalOf key={metric} report={report} metric={metric} />
      ))}
    </div>
  )
}

function TotalOf({ report, metric }: { report: Report; metric: ReportMetricName }) {
  const t = useMessages(insightMessages)
  const texts = useFigureTexts(report.currency)
  const { total, targets } = report
  const target = targets[metric]
  return (
    <div className="report-total">
      <span className="quiet">{texts.metric(metric)}</span>
      <strong>
        <FigureLink report={report} row={total} metric={metric} />
      </strong>
      {total.compared ? (
        <span className="quiet">{t("before", { value: texts.figure(metric, total.compared[metric]) })}</span>
      ) : null}
      {typeof target === "number" ? (
        <span className="quiet">
          {t("targetText", { value: texts.figure(metric, target) })}{" "}
          {total.values[metric] === null ? null : (
            <Badge variant="light" color={total.missed.includes(metric) ? "red" : "pine"}>
              {t(total.missed.includes(metric) ? "missed" : "reached")}
            </Badge>
          )}
        </span>
      ) : null}
    </div>
  )
}

function Chart({
  report,
  options: { groupBy, metrics },
  metric,
}: Pick<ReportViewProps, "options"> & { report: Report; metric: ReportMetricName }) {
  const t = useMessages(insightMessages)
  const texts = useFigureTexts(report.currency)
  const formats = useFormats()
  const target = report.targets[metric]
  const plan = report.compared ? undefined : metrics.find((name) => name === planOf[metric])
  const bars: Bar[] = report.rows.slice(0, maxBars).map((row) => ({
    label: texts.group(groupBy, row, true),
    value: row.values[metric] ?? null,
    compared: (plan ? row.values[plan] : row.compared?.[metric]) ?? null,
  }))
  return (
    <figure className="report-chart" aria-label={texts.metric(metric)}>
      <Suspense fallback={<Skeleton h={280} />}>
        <ReportChart
          bars={bars}
          name={texts.metric(metric)}
          comparedName={
            report.compared
              ? t("comparedRange", {
                  from: formats.day(report.compared.from),
                  until: formats.day(report.compared.until),
                })
              : plan && texts.metric(plan)
          }
          target={typeof target === "number" ? { value: target, label: t("target") } : undefined}
          format={(value) => texts.figure(metric, value)}
        />
      </Suspense>
      {report.count > maxBars ? (
        <figcaption className="quiet">{t("firstBars", { shown: maxBars })}</figcaption>
      ) : null}
    </figure>
  )
}

/** Where a list is not just as long as its figure, the report says what it has. */
function ListNotes({ metrics }: { metrics: readonly ReportMetricName[] }) {
  const t = useMessages(insightMessages)
  const texts = useFigureTexts("")
  const { may } = useSession()
  const seen = listNotes.filter((note) => note === "sessions" || may("view/task"))
  const notes = seen.flatMap((note) => {
    const names = metrics.filter((metric) => listNoteOf(metric) === note).map(texts.metric)
    return names.length === 0 ? [] : [t(`lists_${note}`, { figures: names.join(", ") })]
  })
  return notes.length > 0 ? <Text className="quiet">{notes.join(" ")}</Text> : null
}

interface ReportTableProps {
  report: Report
  search: ReportSearch | undefined
  groupBy: ReportDimension
  metrics: readonly ReportMetricName[]
}

function ReportTable({ report, search, groupBy, metrics }: ReportTableProps) {
  const t = useMessages(insightMessages)
  const texts = useFigureTexts(report.currency)
  // Everything with a reason, or with one outcome, has failed or not: a rate says nothing about it.
  const isOfSeveral = (metric: ReportMetricName) =>
    metric !== "failureRate" || !["reason", "outcome"].includes(groupBy)
  return (
    <div className="report-table">
      <DataTable<ReportRow>
        rows={report.rows}
        keyOf={(row) => JSON.stringify(row.key)}
        columns={[
          {
            title: t(`by_${groupBy}`),
            kind: "name",
            cell: (row) => <Group search={search} groupBy={groupBy} row={row} />,
          },
          ...metrics.filter(isOfSeveral).map((metric) => ({
            title: texts.metric(metric),
            kind: "number" as const,
            cell: (row: ReportRow) => (
              <>
                <FigureLink report={report} row={row} metric={metric} />
                {row.missed.includes(metric) ? (
                  <Badge color="red" variant="light" ms={6}>
                    {t("missed")}
                  </Badge>
                ) : null}
                {row.compared ? (
                  <span className="quiet report-before">{texts.figure(metric, row.compared[metric])}</span>
                ) : null}
              </>
            ),
          })),
        ]}
      />
    </div>
  )
}

/** What a row is about; where it can be shown by something else, it leads there. */
function Group({
  search,
  groupBy,
  row,
}: {
  search: ReportSearch | undefined
  groupBy: ReportDimension
  row: ReportRow
}) {
  const texts = useFigureTexts("")
  const text = texts.group(groupBy, row)
  const own = search && reportOfRow(search, groupBy, row.key[groupBy] ?? "")
  if (!own) return <>{text}</>
  return (
    <Link to={paths.reports} search={own}>
      {text}
    </Link>
  )
}

/** A figure that leads to the list of its tasks, sessions or alarms, for people who may see it. */
function FigureLink({ report, row, metric }: { report: Report; row: ReportRow; metric: ReportMetricName }) {
  const t = useMessages(insightMessages)
  const { may } = useSession()
  const texts = useFigureTexts(report.currency)
  const text = texts.figure(metric, row.values[metric])
  const value = row.values[metric]
  const [tasks, sessions, alarms] = [row.tasks[metric], row.sessions[metric], row.alarms[metric]]
  const title = reportMetrics[metric].unit === "count" ? undefined : t("showList")
  if (!value) return <>{text}</>
  if (sessions !== undefined)
    return (
      <Link to={paths.reportSessions} search={eventsSearchOf(sessions)} title={title}>
        {text}
      </Link>
    )
  if (alarms !== undefined)
    return (
      <Link to={paths.reportAlarms} search={eventsSearchOf(alarms)}>
        {text}
      </Link>
    )
  if (tasks === undefined || !may("view/task")) return <>{text}</>
  return (
    <Link to={paths.tasks} search={taskListOf(tasks, report.timeZone)} title={title}>
      {text}
    </Link>
  )
}
