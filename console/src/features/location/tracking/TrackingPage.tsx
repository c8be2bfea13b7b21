import "./tracking.css"
import { Button, Select } from "@mantine/core"
import { IconHistory, IconLiveView, IconPolygon } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { localOf } from "../../../i18n/day-bounds.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { useNow } from "../../../ui/now.ts"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { MessagesPanel } from "../../work/messages/MessagesPanel.tsx"
import { DayPage } from "./DayPage.tsx"
import { useFences } from "./fences.ts"
import { HoursList } from "./HoursList.tsx"
import type { Area } from "./live/area.ts"
import { fleetQuery, maxPeople, usePeopleInSight } from "./live/people-in-sight.ts"
import { trackingMessages } from "./messages.ts"
import { PersonCard } from "./PersonCard.tsx"
import { PersonList } from "./PersonList.tsx"
import { positionsQuery } from "./positions.ts"
import { type Side, SideChoice } from "./SideChoice.tsx"
import { SilentPeople } from "./SilentPeople.tsx"
import type { TrackingSearch } from "./tracking-search.ts"

const TrackingMap = lazy(() => import("./TrackingMap.tsx"))

const allTeams = "all"

export const loader: PageLoader = async ({ client }) => {
  const { total } = await client.ensureQueryData(fleetQuery)
  if (total <= maxPeople) await client.ensureQueryData(positionsQuery)
}

/** Where people are, and since when. The page updates automatically. */
export function TrackingPage() {
  const t = useMessages(trackingMessages)
  const { person, team, day, days = 1, with: others, at } = useSearch({ from: "/signed-in/tracking" })
  const navigate = useNavigate({ from: paths.tracking })
  const hub = useChosenHub()
  const { organization, may } = useSession()
  const now = useNow(5_000)
  const [words, setWords] = useState("")
  const [side, setSide] = useState<Side>("people")
  const [addressee, setAddressee] = useState<{ userId: string; title: string }>()
  const show = (next: Side) => {
    setAddressee(undefined)
    setSide(next)
  }
  const [area, setArea] = useState<Area>()
  const people = useMemo(
    () => ({ ...(hub === undefined ? {} : { hubId: hub }), ...(team === undefined ? {} : { teamId: team }) }),
    [hub, team],
  )
  const userIds = useMemo(
    () => [...new Set([person ?? [], others?.split(",") ?? []].flat())],
    [person, others],
  )
  const { isLarge, known, shown, clusters, seen, total, bounds } = usePeopleInSight({
    ...{ people, words, userIds, area },
  })
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const teamsHere = teams.filter((one) => hub === undefined || one.hubId === hub)
  const chosen = (isLarge ? known : shown).find((position) => position.userId === person)
  const choose = (userId: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, person: userId }), replace: true })
  const change = (options: TrackingSearch) =>
    void navigate({ search: (current) => ({ ...current, ...options }) })
  const ofDay = known.find((position) => position.userId === person)
  const fences = useFences(hub, chosen?.email)
  const onMap = useMemo(
    () =>
      isLarge && chosen && !shown.includes(chosen)
        ? [chosen, ...shown.filter(({ userId }) => userId !== person)]
        : shown,
    [isLarge, chosen, shown, person],
  )
  if (!isLarge && known.length === 0)
    return (
      <EmptyState icon={IconLiveView} title={t("emptyTitle")} text={t("emptyText")}>
        <Button component={Link} to={paths.people}>
          {t("addPeople")}
        </Button>
      </EmptyState>
    )
  if (day && ofDay)
    return (
      <DayPage
        positions={known}
        person={ofDay}
        day={day}
        length={days}
        others={others?.split(",") ?? []}
        onChange={change}
      />
    )
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("seen", { count: seen, total })}>
        <ActionButton
          icon={IconHistory}
          label={t("timeMachine")}
          component={Link}
          to={paths.moment}
          variant="default"
        />
        <ActionButton
          icon={IconPolygon}
          label={t("geofences")}
          component={Link}
          to={paths.geofences}
          variant="default"
        />
      </PageHeader>
      <div className="tracking">
        <div className="tracking-side">
          <SideChoice side={side} onChange={show} />
          {side === "messages" ? (
            <MessagesPanel key={addressee?.userId} start={addressee} />
          ) : side === "hours" ? (
            <HoursList hub={hub} />
          ) : (
            <>
              <div className="tracking-search">
                <SearchInput label={t("search")} value={words} onChange={setWords} />
                {teamsHere.length > 0 || team !== undefined ? (
                  <Select
                    comboboxProps={{ width: "max-content" }}
                    aria-label={t("team")}
                    placeholder={t("allTeams")}
                    data={[
                      { value: allTeams, label: t("allTeams") },
                      ...teamsHere.map((one) => ({ value: one._id, label: one.name })),
                    ]}
                    value={team ?? allTeams}
                    searchable={teamsHere.length > 8}
                    onChange={(value) =>
                      change({ team: value === allTeams ? undefined : (value ?? undefined) })
                    }
                  />
                ) : null}
              </div>
              {chosen ? (
                <PersonCard
                  position={chosen}
                  now={now}
                  onMessage={() => {
                    setAddressee({ userId: chosen.userId, title: chosen.name })
                    setSide("messages")
                  }}
                  onDay={() => change({ day: localOf(new Date(), organization.timeZone).slice(0, 10) })}
                  onClose={() => choose(undefined)}
                />
              ) : null}
              <SilentPeople hub={hub} positions={known} now={now} onChoose={choose} />
              {clusters.length > 0 ? <p className="quiet tracking-hint">{t("zoomIn")}</p> : null}
              <PersonList positions={shown} now={now} chosen={person} onChoose={choose} />
            </>
          )}
        </div>
        <Suspense fallback={<div className="map" aria-busy="true" />}>
          <TrackingMap
            positions={onMap}
            clusters={clusters}
            bounds={bounds}
            now={now}
            chosen={person}
            fences={fences}
            at={at}
            onChoose={choose}
            onArea={isLarge ? setArea : undefined}
          />
        </Suspense>
      </div>
    </div>
  )
}
