import "../../location/tracking/tracking.css"
import { ActionIcon, Select, Slider } from "@mantine/core"
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useState } from "react"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { dayMessages } from "../../location/tracking/day-messages.ts"
import { trackingMessages } from "../../location/tracking/messages.ts"
import { usePlay } from "../../location/tracking/play.ts"
import { MomentSide } from "./MomentSide.tsx"
import { momentQuery } from "./moment.queries.ts"
import { momentMessages } from "./moment-messages.ts"

const MomentMap = lazy(() => import("./MomentMap.tsx"))

const minute = 60_000
const dayMilliseconds = 86_400_000
/** Seconds of the day that pass in one. */
const speeds = [60, 300, 900, 3600] as const

/** Positions, tasks and routes as they were at any minute of a day, with playback. The address is the moment. */
export function MomentPage() {
  const t = useMessages(momentMessages)
  const tDay = useMessages(dayMessages)
  const tTracking = useMessages(trackingMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const { at } = useSearch({ from: "/signed-in/moment" })
  const navigate = useNavigate({ from: paths.moment })
  const hub = useChosenHub()
  const [now] = useState(() => Date.now())
  const shown = Math.min(now, at ? Date.parse(at) : now)
  const day = localOf(new Date(shown), organization.timeZone).slice(0, 10)
  const bound = (end: "from" | "to") => Date.parse(dayBound(day, end, organization.timeZone))
  const [speed, setSpeed] = useState<number>(300)
  const play = usePlay({ from: bound("from"), to: Math.min(now, bound("to")) }, speed)
  const { seek } = play
  // A link, and another day, move the slider.
  useEffect(() => seek(shown), [seek, shown])
  // Playing fast, a second of it is one request.
  const step = Math.max(minute, play.isPlaying ? speed * 1000 : minute)
  const time = Math.floor(play.time / step) * step
  const { data, error } = useQuery(momentQuery(time, hub))
  const goTo = (next: number) =>
    void navigate({ search: { at: new Date(Math.min(next, now)).toISOString() }, replace: true })
  const clock = (value: number) => formats.time(new Date(value).toISOString())
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={formats.dateTime(new Date(play.time).toISOString())}>
        <ActionButton
          icon={IconArrowLeft}
          label={tTracking("title")}
          component={Link}
          to={paths.tracking}
          variant="subtle"
          className="from-sm-inline"
        />
        <IconButton
          icon={IconChevronLeft}
          label={tDay("before")}
          variant="default"
          size="lg"
          onClick={() => goTo(play.time - dayMilliseconds)}
        />
        <DateTimeInput
          type="date"
          aria-label={tDay("date")}
          value={day}
          onChange={({ currentTarget: { value } }) => {
            const passed = play.time - bound("from")
            if (value) goTo(Date.parse(dayBound(value, "from", organization.timeZone)) + passed)
          }}
          w={140}
        />
        <IconButton
          icon={IconChevronRight}
          label={tDay("after")}
          variant="default"
          size="lg"
          onClick={() => goTo(play.time + dayMilliseconds)}
        />
      </PageHeader>
      <div className="tracking">
        <div className="tracking-side day-side">
          <FormError error={error} />
          {data ? <MomentSide moment={data} /> : null}
          <p className="quiet">{t("hint")}</p>
        </div>
        <div className="day-view">
          <Suspense fallback={<div className="map" aria-busy="true" />}>
            <MomentMap moment={data} />
          </Suspense>
          <div className="day-bar">
            <ActionIcon
              variant="filled"
              color="pine"
              size="lg"
              radius="xl"
              aria-label={play.isPlaying ? tDay("pause") : tDay("play")}
              onClick={() => {
                if (play.isPlaying) goTo(play.time)
                play.toggle()
              }}
            >
              {play.isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
            </ActionIcon>
            <Slider
              className="day-slider"
              thumbLabel={tDay("timeline")}
              min={bound("from")}
              max={Math.min(now, bound("to"))}
              step={minute}
              value={play.time}
              label={clock}
              onChange={play.seek}
              onChangeEnd={goTo}
            />
            <output className="day-clock">{clock(play.time)}</output>
            <Select
              aria-label={tDay("speed")}
              allowDeselect={false}
              data={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
              value={String(speed)}
              onChange={(value) => setSpeed(Number(value ?? 300))}
              w={106}
            />
          </div>
        </div>
      </div>
    </div>
  )
}
