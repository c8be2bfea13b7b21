import "../../../ui/StatusBadge.css"
import "./tracking.css"
import { ActionIcon, Group, Select, Slider } from "@mantine/core"
import {
  IconChevronLeft,
  IconChevronRight,
  IconLiveView,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react"
import { useQueries } from "@tanstack/react-query"
import { lazy, Suspense, useMemo, useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { addDays } from "../../work/tasks/calendar-days.ts"
import type { DayWay } from "./DayMap.tsx"
import { DaySummary } from "./DaySummary.tsx"
import { dayMessages } from "./day-messages.ts"
import { usePlay } from "./play.ts"
import type { Position } from "./positions.ts"
import { ShareDay } from "./ShareDay.tsx"
import { TrackFiles } from "./TrackFiles.tsx"
import { spans, type TrackingSearch } from "./tracking-search.ts"
import { trackColors, trackQuery, verticesOf } from "./tracks.ts"
import { fencesOfVisits, type Visit, visitsQuery } from "./visits.ts"

const DayMap = lazy(() => import("./DayMap.tsx"))

export interface DayPageProps {
  positions: readonly Position[]
  person: Position
  day: string
  /** How many days, of which `day` is the last. */
  length: number
  others: readonly string[]
  onChange(options: { [Key in keyof TrackingSearch]?: TrackingSearch[Key] | undefined }): void
}

/** One function for all renders, so that the lists stay the same while the responses do. */
const dataOf = (answers: readonly { data: Visit[] | undefined }[]) => answers.map(({ data }) => data ?? [])

const speeds = [10, 60, 300, 1200, 14400] as const

/** The day of one or several people: their tracks, played on one timeline, with sessions and files. */
export function DayPage({ positions, person, day, length, others, onChange }: DayPageProps) {
  const t = useMessages(dayMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const people = [person, ...positions.filter(({ userId }) => others.includes(userId))].slice(
    0,
    trackColors.length,
  )
  const isOneDay = length === 1
  const first = addDays(day, 1 - length)
  const days = useMemo(() => (isOneDay ? { date: day } : { date: first, until: day }), [isOneDay, day, first])
  const tracks = useQueries({ queries: people.map(({ userId }) => trackQuery(userId, days)) })
  const visits = useQueries({
    queries: people.map(({ userId }, index) => {
      const track = tracks[index]?.data
      return { ...visitsQuery(userId, track?.from ?? 0, track?.to ?? 0), enabled: track !== undefined }
    }),
    combine: dataOf,
  })
  const fences = useMemo(() => fencesOfVisits(visits.flat()), [visits])
  const ways = people.flatMap((one, index): DayWay[] => {
    const track = tracks[index]?.data
    if (!track || track.vertices.length === 0) return []
    const color = trackColors[index] ?? trackColors[0]
    return [
      { userId: one.userId, name: one.name, color, vertices: verticesOf(track), flagged: track.flagged },
    ]
  })
  const times = ways.flatMap(({ vertices }) => [vertices[0]?.time ?? 0, vertices.at(-1)?.time ?? 0])
  const span = times.length === 0 ? { from: 0, to: 1 } : { from: Math.min(...times), to: Math.max(...times) }
  const [speed, setSpeed] = useState<number>(60)
  const play = usePlay(span, speed)
  const isRead = tracks.every(({ isPending }) => !isPending)
  const clock = (time: number) => formats[isOneDay ? "time" : "dateTime"](new Date(time).toISOString())
  const shownDay = formats.day(day)
  const addable = positions.filter(
    (position) => position.time !== null && people.every(({ userId }) => userId !== position.userId),
  )
  return (
    <div className="page">
      <PageHeader
        title={person.name}
        detail={isOneDay ? shownDay : t("fromTo", { from: formats.day(first), to: shownDay })}
      >
        <Group gap={6}>
          <Select
            aria-label={t("length")}
            data={[1, ...spans].map((count) => ({ value: String(count), label: t("days", { count }) }))}
            value={String(length)}
            allowDeselect={false}
            onChange={(value) => onChange({ days: Number(value) > 1 ? Number(value) : undefined })}
            w={104}
          />
          <IconButton
            icon={IconChevronLeft}
            label={t(isOneDay ? "before" : "earlier")}
            iconSize={18}
            variant="default"
            size="lg"
            onClick={() => onChange({ day: addDays(day, -length) })}
          />
          <DateTimeInput
            type="date"
            aria-label={t("date")}
            value={day}
            onChange={(event) => {
              if (event.currentTarget.value) onChange({ day: event.currentTarget.value })
            }}
            w={140}
          />
          <IconButton
            icon={IconChevronRight}
            label={t(isOneDay ? "after" : "later")}
            iconSize={18}
            variant="default"
            size="lg"
            onClick={() => onChange({ day: addDays(day, length) })}
          />
          <ActionButton
            icon={IconLiveView}
            label={t("live")}
            variant="default"
            onClick={() => onChange({ day: undefined, days: undefined, with: undefined })}
          />
        </Group>
      </PageHeader>
      <div className="tracking">
        <div className="tracking-side day-side">
          {people.map((one, index) => {
            const { data: track, error } = tracks[index] ?? {}
            if (error)
              return (
                <p key={one.userId} role="alert" className="overdue">
                  {t("failed", { name: one.name, reason: errorText(error, tError) })}
                </p>
              )
            return track ? (
              <DaySummary
                key={one.userId}
                track={track}
                clock={formats[isOneDay ? "time" : "dateTime"]}
                visits={visits[index] ?? []}
                color={trackColors[index] ?? trackColors[0]}
                onRemove={
                  index === 0
                    ? undefined
                    : () =>
                        onChange({
                          with: others.filter((id) => id !== one.userId).join(",") || undefined,
                        })
                }
              />
            ) : null
          })}
          {addable.length > 0 && people.length < trackColors.length ? (
            <Select
              aria-label={t("addPerson")}
              placeholder={t("addPerson")}
              searchable
              data={addable.map(({ userId, name }) => ({ value: userId, label: name }))}
              value={null}
              onChange={(id) => {
                if (id) onChange({ with: [...others, id].join(",") })
              }}
            />
          ) : null}
          <TrackFiles key={`files-${person.userId}`} userId={person.userId} from={first} until={day} />
          {isOneDay ? <ShareDay key={`${person.userId}-${day}`} person={person} day={day} /> : null}
        </div>
        <div className="day-view">
          <Suspense fallback={<div className="map" aria-busy="true" />}>
            <DayMap days={days} ways={ways} fences={fences} time={play.time} />
          </Suspense>
          <div className="day-bar">
            {ways.length === 0 ? (
              <span className="quiet" role="status">
                {isRead ? t(isOneDay ? "nothing" : "nothingThen") : ""}
              </span>
            ) : (
              <>
                <ActionIcon
                  variant="filled"
                  color="pine"
                  size="lg"
                  radius="xl"
                  aria-label={play.isPlaying ? t("pause") : t("play")}
                  onClick={play.toggle}
                >
                  {play.isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
                </ActionIcon>
                <Slider
                  className="day-slider"
                  thumbLabel={t("timeline")}
                  min={span.from}
                  max={span.to}
                  step={1000}
                  value={play.time}
                  label={clock}
                  onChange={play.seek}
                />
                <output className="day-clock">{clock(play.time)}</output>
                <Select
                  aria-label={t("speed")}
                  data={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
                  value={String(speed)}
                  onChange={(value) => setSpeed(Number(value ?? 60))}
                  w={106}
                />
              </>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}
