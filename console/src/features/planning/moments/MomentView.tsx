import "../../location/tracking/tracking.css"
import { ActionIcon, SegmentedControl, Select, Slider } from "@mantine/core"
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, useState } from "react"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { dayMessages } from "../../location/tracking/day-messages.ts"
import { usePlay } from "../../location/tracking/play.ts"
import { MomentSide } from "./MomentSide.tsx"
import { momentQuery } from "./moment.queries.ts"
import { momentMessages } from "./moment-messages.ts"

const MomentMap = lazy(() => import("./MomentMap.tsx"))
const MomentBoard = lazy(() => import("./MomentBoard.tsx"))

const minute = 60_000
/** Seconds of the day that pass in one. */
const speeds = [1, 10, 60, 300, 900, 3600] as const

interface MomentViewProps {
  /** Epoch milliseconds, not in the future. */
  at: number
  now: number
  /** Somebody has chosen another moment. */
  onAt(at: number): void
}

/** Map or board, routes and messages of a moment, with a slider through its day and playback. */
export default function MomentView({ at, now, onAt }: MomentViewProps) {
  const t = useMessages(momentMessages)
  const tDay = useMessages(dayMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const hub = useChosenHub()
  const day = localOf(new Date(at), organization.timeZone).slice(0, 10)
  const bound = (end: "from" | "to") => Date.parse(dayBound(day, end, organization.timeZone))
  const [speed, setSpeed] = useState<number>(300)
  const [view, setView] = useState("map")
  const play = usePlay({ from: bound("from"), to: Math.min(now, bound("to")) }, speed)
  const { seek } = play
  // A link, and another day, move the slider.
  useEffect(() => seek(at), [seek, at])
  // Playing fast, a second of it is one request.
  const step = Math.max(minute, play.isPlaying ? speed * 1000 : minute)
  const { data, error } = useQuery(momentQuery(Math.floor(play.time / step) * step, hub))
  const clock = (value: number) => formats.time(new Date(value).toISOString())
  return (
    <div className="tracking">
      <div className="tracking-side day-side">
        <SegmentedControl
          data={(["map", "board"] as const).map((value) => ({ value, label: t(value) }))}
          value={view}
          onChange={setView}
        />
        <FormError error={error} />
        {data ? <MomentSide moment={data} /> : null}
        <p className="quiet">{t("hint")}</p>
      </div>
      <div className="day-view">
        <Suspense fallback={<div className="map" aria-busy="true" />}>
          {view === "map" ? <MomentMap moment={data} /> : <MomentBoard moment={data} />}
        </Suspense>
        <div className="day-bar">
          <ActionIcon
            variant="filled"
            color="pine"
            size="lg"
            radius="xl"
            aria-label={play.isPlaying ? tDay("pause") : tDay("play")}
            onClick={() => {
              if (play.isPlaying) onAt(play.time)
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
            onChangeEnd={onAt}
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
  )
}
