import "../../../ui/StatusBadge.css"
import "./today.css"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { usePeopleNames } from "../tasks/people.ts"
import { taskCountQuery } from "../tasks/tasks.queries.ts"
import { Behind } from "./Behind.tsx"
import { FinishedByHour } from "./FinishedByHour.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import { HubCounts } from "./HubCounts.tsx"
import { LateTasks, lateTasksQuery } from "./LateTasks.tsx"
import { todayMessages } from "./messages.ts"
import { Troubles } from "./Troubles.tsx"

const doneSince = (own: { hubId?: string }, day: string, timeZone: string) =>
  ({ ...own, status: "DONE", timeBy: "doneTime", timeFrom: dayBound(day, "from", timeZone) }) as const

export const loader: PageLoader = async ({ client, session: { organization }, search }) => {
  const own = typeof search.hub === "string" ? { hubId: search.hub } : {}
  const today = localOf(new Date(), organization.timeZone).slice(0, 10)
  const queries = [
    { ...own, status: "UNASSIGNED" },
    { ...own, status: "ONGOING" },
    doneSince(own, today, organization.timeZone),
    {},
  ] as const
  await Promise.all([
    client.ensureQueryData(hubsQuery),
    ...queries.map((query) => client.prefetchQuery(taskCountQuery(query))),
    client.prefetchQuery(lateTasksQuery(own)),
  ])
}

/** What needs attention now, and how far the day is. */
export function TodayPage() {
  const t = useMessages(todayMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const hub = useChosenHub()
  const today = localOf(new Date(), organization.timeZone).slice(0, 10)
  const own = useMemo(() => (hub ? { hubId: hub } : {}), [hub])
  const doneToday = useMemo(
    () => doneSince(own, today, organization.timeZone),
    [own, today, organization.timeZone],
  )
  const unassigned = useQuery(taskCountQuery({ ...own, status: "UNASSIGNED" })).data
  const ongoing = useQuery(taskCountQuery({ ...own, status: "ONGOING" })).data
  const done = useQuery(taskCountQuery(doneToday)).data
  const all = useQuery(taskCountQuery({})).data
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const people = usePeopleNames()
  const isNew = all === 0 || hubs.length === 0
  const tiles = [
    {
      label: t("unassigned"),
      hint: t("unassignedHint"),
      count: unassigned,
      status: "UNASSIGNED",
      search: { status: "UNASSIGNED" },
    },
    {
      label: t("ongoing"),
      hint: t("ongoingHint"),
      count: ongoing,
      status: "ONGOING",
      search: { status: "ONGOING" },
    },
    {
      label: t("done"),
      hint: t("doneHint"),
      count: done,
      status: "DONE",
      search: { status: "DONE", timeBy: "doneTime", from: today },
    },
  ] as const
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={formats.date(new Date().toISOString())} />
      <div className="page-body today" aria-busy={done === undefined}>
        {isNew ? (
          <FirstSteps hasHub={hubs.length > 0} hasPeople={people.size > 1} hasTasks={(all ?? 0) > 0} />
        ) : null}
        <div className="tiles">
          {tiles.map((tile) => (
            <Link
              key={tile.label}
              to={paths.tasks}
              search={tile.search}
              className="tile"
              data-status={tile.status}
            >
              <span className="tile-label">
                <span className="status" data-status={tile.status}>
                  <span className="status-mark" aria-hidden />
                  {tile.label}
                </span>
              </span>
              <span className="tile-count">
                {tile.count === undefined ? "–" : formats.number(tile.count)}
              </span>
              <span className="quiet">{tile.hint}</span>
            </Link>
          ))}
        </div>
        <div className="today-columns">
          <LateTasks own={own} people={people} />
          <div className="today-side">
            <Behind hub={hub} today={today} />
            <Troubles hub={hub} />
            <FinishedByHour query={doneToday} timeZone={organization.timeZone} />
            {hubs.length > 1 && !hub ? <HubCounts hubs={hubs} /> : null}
          </div>
        </div>
      </div>
    </div>
  )
}
