import { VisuallyHidden } from "@mantine/core"
import {
  type Icon,
  IconAlertTriangle,
  IconFlag,
  IconMapPin,
  IconSteeringWheel,
  IconTruck,
} from "@tabler/icons-react"
import { memo, useMemo } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { type DeskRow, placesOf, previewOf, withTravel } from "../desk-rows.ts"
import { useDesk, useDeskStore } from "../desk-store.ts"
import { type DeskText, spanText } from "../desk-text.ts"
import { dispatchMessages } from "../messages.ts"
import type { Desk } from "../use-dispatch-day.ts"
import { useRoadTravel } from "../use-travel.ts"
import { Lane } from "./Lane.tsx"
import type { Scale } from "./scale.ts"

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
  const places = useMemo(() => placesOf(known.worker, known.stops), [known])
  const travel = useRoadTravel(places, desk.day.hasRoads, known.context.travel)
  const row = useMemo(() => withTravel(known, travel), [known, travel])
  const target = drag?.target
  const ids = drag?.ids
  const preview = useMemo(() => {
    if (!target || !ids) return undefined
    const tasks = ids.flatMap((id) => desk.taskOf.get(id) ?? [])
    return previewOf(row, tasks, target.at)
  }, [row, target, ids, desk])
  const shown = preview ?? row
  const open = shown.stops.filter(({ isDone }) => !isDone).length
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
        <span className="desk-totals quiet">
          <Total icon={IconMapPin} text={String(open)} title={t("stops", { count: open })} />
          {shown.times.travel > 0 ? (
            <Total
              icon={IconSteeringWheel}
              text={spanText(shown.times.travel)}
              title={t("driving", { time: spanText(shown.times.travel) })}
            />
          ) : null}
          {shown.times.end !== undefined && open > 0 ? (
            <Total
              icon={IconFlag}
              text={text.clock(shown.times.end)}
              title={t("endsAt", { time: text.clock(shown.times.end) })}
              isBad={isOverShift}
            />
          ) : null}
          {shown.times.lateCount > 0 ? (
            <Total
              icon={IconAlertTriangle}
              text={String(shown.times.lateCount)}
              title={t("lateStops", { count: shown.times.lateCount })}
              isBad
            />
          ) : null}
        </span>
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

/** A total with a picture for those who see it, and a sentence for the others. */
function Total(props: { icon: Icon; text: string; title: string; isBad?: boolean | undefined }) {
  return (
    <span title={props.title} data-bad={props.isBad ?? false}>
      <props.icon size={12} stroke={1.8} aria-hidden />
      <span aria-hidden>{props.text}</span>
      <VisuallyHidden>{props.title}</VisuallyHidden>
    </span>
  )
}

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
