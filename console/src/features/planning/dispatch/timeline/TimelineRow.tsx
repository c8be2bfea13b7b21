import { IconTruck } from "@tabler/icons-react"
import { memo } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import type { DeskRow } from "../desk-rows.ts"
import { useDesk, useDeskStore } from "../desk-store.ts"
import type { DeskText } from "../desk-text.ts"
import { dispatchMessages } from "../messages.ts"
import type { Desk } from "../use-dispatch-day.ts"
import { namesAt, usePlaced } from "../use-travel.ts"
import { Lane } from "./Lane.tsx"
import type { Scale } from "./scale.ts"
import { openStops, Totals } from "./Totals.tsx"

interface TimelineRowProps {
  row: DeskRow
  /** Pixels from the top. */
  top: number
  desk: Desk
  text: DeskText
  scale: Scale
  onOpen(taskId: string): void
  onReorder(email: string, taskId: string, by: 1 | -1): void
}

/** A person: name, totals, and the lane of the day. While something is dragged over it, the day as it would become. */
function PlainTimelineRow({ row: known, top, desk, text, scale, onOpen, onReorder }: TimelineRowProps) {
  const t = useMessages(dispatchMessages)
  const store = useDeskStore()
  const { email, name, vehicle } = known.person
  const drag = useDesk((state) => (state.drag?.target?.email === email ? state.drag : undefined))
  const isShown = useDesk((state) => state.shownPerson === email)
  const { row, preview, outOfReach } = usePlaced(known, desk, drag?.ids, drag?.target?.at)
  const shown = preview ?? row
  const open = openStops(shown)
  const isOverShift = row.worker.shift ? (shown.times.end ?? 0) > row.worker.shift.end : false
  return (
    <div className="desk-row" data-person={email} data-target={drag !== undefined} style={{ top }}>
      <button
        type="button"
        className="desk-person"
        aria-pressed={isShown}
        title={t("showWay", { name })}
        onClick={() => store.set({ shownPerson: isShown ? undefined : email })}
      >
        <span className="desk-person-name">
          <strong className="truncate" dir="auto">
            {name}
          </strong>
          {vehicle ? (
            <span className="quiet truncate desk-vehicle">
              <IconTruck size={13} aria-hidden /> {vehicle.name}
            </span>
          ) : null}
        </span>
        <Totals
          stops={open}
          travel={shown.times.travel}
          end={open > 0 ? shown.times.end : undefined}
          late={shown.times.lateCount}
          outOfReach={outOfReach.length > 0 ? namesAt(outOfReach, desk) : undefined}
          isOverShift={isOverShift}
          text={text}
        />
        <Loads row={row} stops={shown.stops} />
      </button>
      <Lane
        row={row}
        stops={shown.stops}
        times={shown.times}
        added={preview?.added}
        desk={desk}
        text={text}
        scale={scale}
        onOpen={onOpen}
        onReorder={onReorder}
      />
    </div>
  )
}

export const TimelineRow = memo(PlainTimelineRow)

/** How full the vehicle is, for the constraint that is fullest. */
function Loads({ row, stops }: { row: DeskRow; stops: DeskRow["stops"] }) {
  const t = useMessages(dispatchMessages)
  const loads = Object.entries(row.worker.capacity)
    .map(([name, { max }]) => ({
      name,
      max,
      load: Math.round(stops.reduce((sum, { demand }) => sum + (demand[name] ?? 0), 0) * 1e6) / 1e6,
    }))
    .filter(({ load, max }) => load > 0 && max > 0)
    .toSorted((one, other) => other.load / other.max - one.load / one.max)
  const [fullest] = loads
  if (!fullest) return null
  const share = fullest.load / fullest.max
  const title = loads.map(({ name, load, max }) => `${name}: ${load} / ${max}`).join("\n")
  return (
    <span className="desk-load" title={`${t("load")}\n${title}`} data-bad={share > 1}>
      <i style={{ width: `${Math.min(100, share * 100)}%` }} />
    </span>
  )
}
