import "./insight.css"
import { Button, Skeleton, Text } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { useAlarmName } from "../location/tracking/attribute-facts.ts"
import { momentMessages } from "../planning/moments/moment-messages.ts"
import type { EventsSearch } from "./events-search.ts"
import { useFigureTexts } from "./figure-texts.ts"
import { insightMessages } from "./messages.ts"
import { alarmsQuery, sessionsQuery } from "./reports.queries.ts"

/** The working sessions behind a figure: as many as it counts, and with the hours and distances that it adds up. */
export function ReportSessionsPage() {
  const t = useMessages(insightMessages)
  const search = useSearch({ from: "/signed-in/reports/sessions" })
  const navigate = useNavigate({ from: paths.reportSessions })
  const { figure } = useFigureTexts("")
  const formats = useFormats()
  const { data, error } = useQuery(sessionsQuery(search))
  return (
    <EventsList
      title={t("sessionsTitle")}
      list={{ search, found: data, error, onPage: (page) => void navigate({ search: { ...search, page } }) }}
    >
      <DataTable
        rows={data?.rows ?? []}
        keyOf={({ email, startedTime }) => `${email} ${startedTime}`}
        columns={[
          { title: t("by_person"), kind: "name", cell: ({ name }) => name || t("nobody") },
          { title: t("began"), cell: ({ startedTime }) => formats.dateTime(startedTime) },
          {
            title: t("ended"),
            cell: ({ finishedTime }) => (finishedTime ? formats.dateTime(finishedTime) : "–"),
          },
          {
            title: t("by_vehicle"),
            from: "sm",
            cell: ({ vehicle, vehicleId }) => vehicle ?? vehicleId ?? "–",
          },
          {
            title: t("metric_attendedHours"),
            kind: "number",
            cell: ({ hours }) => figure("attendedHours", hours),
          },
          {
            title: t("metric_kilometers"),
            kind: "number",
            cell: ({ kilometers }) => figure("kilometers", kilometers),
          },
          {
            title: t("metric_travelHours"),
            kind: "number",
            cell: ({ travelHours }) => figure("travelHours", travelHours),
          },
          {
            title: t("metric_idleHours"),
            kind: "number",
            cell: ({ idleHours }) => figure("idleHours", idleHours),
          },
        ]}
      />
    </EventsList>
  )
}

/** What trackers reported about driving; each leads to the moment on the map. */
export function ReportAlarmsPage() {
  const t = useMessages(insightMessages)
  const tMoment = useMessages(momentMessages)
  const search = useSearch({ from: "/signed-in/reports/alarms" })
  const navigate = useNavigate({ from: paths.reportAlarms })
  const formats = useFormats()
  const { may } = useSession()
  const nameOf = useAlarmName()
  const { data, error } = useQuery(alarmsQuery(search))
  return (
    <EventsList
      title={t("report_driving")}
      list={{ search, found: data, error, onPage: (page) => void navigate({ search: { ...search, page } }) }}
    >
      <DataTable
        rows={data?.rows ?? []}
        keyOf={({ email, time, alarm }) => `${email} ${time} ${alarm}`}
        columns={[
          { title: t("by_person"), kind: "name", cell: ({ name }) => name },
          { title: t("reported"), cell: ({ time }) => formats.dateTime(time) },
          {
            title: t("alarm"),
            cell: ({ kind, alarm }) => (
              <>
                {t(kind === "speeding" ? "metric_speeding" : "metric_harshDriving")}{" "}
                {kind === "speeding" ? null : <span className="quiet">{nameOf(alarm)}</span>}
              </>
            ),
          },
          may("view/tracking") && {
            title: tMoment("title"),
            kind: "actions",
            cell: ({ time }) => (
              <Link to={paths.moment} search={{ at: new Date(time).toISOString() }}>
                {tMoment("title")}
              </Link>
            ),
          },
        ]}
      />
    </EventsList>
  )
}

interface EventsListProps {
  title: string
  list: {
    search: EventsSearch
    found: { page: number; limit: number; count: number } | undefined
    error: Error | null
    onPage(page: number): void
  }
  children: ReactNode
}

function EventsList({ title, list, children }: EventsListProps) {
  const t = useMessages(insightMessages)
  const formats = useFormats()
  const { search, found, error, onPage } = list
  return (
    <div className="page">
      <PageHeader
        title={title}
        detail={`${formats.days(search.from, search.until)}${found ? ` · ${found.count}` : ""}`}
      >
        <ActionButton
          icon={IconArrowLeft}
          label={t("title")}
          component={Link}
          to={paths.reports}
          variant="subtle"
        />
      </PageHeader>
      <FormError error={error} />
      <div className="page-scroll report">
        {found ? (
          <div className="report-table">
            {found.count > 0 ? children : <Text className="report-nothing">{t("nothing")}</Text>}
          </div>
        ) : error ? null : (
          <Skeleton h={280} aria-label={t("loading")} />
        )}
        {found && found.count > found.limit ? (
          <div className="toolbar">
            <Button variant="default" disabled={found.page === 1} onClick={() => onPage(found.page - 1)}>
              {t("previous")}
            </Button>
            <Button
              variant="default"
              disabled={found.page * found.limit >= found.count}
              onClick={() => onPage(found.page + 1)}
            >
              {t("next")}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  )
}
