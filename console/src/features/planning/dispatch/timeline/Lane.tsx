import { type KeyboardEvent, memo, useId, useState } from "react"
import type { DayTimes, StopTimes } from "#shared/dispatch/person-day.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { stepOf } from "../../../../ui/reading-direction.ts"
import type { DeskRow } from "../desk-rows.ts"
import { toggleSelected, useDesk, useDeskStore } from "../desk-store.ts"
import { type DeskText, spanText } from "../desk-text.ts"
import { dispatchMessages } from "../messages.ts"
import type { Desk } from "../use-dispatch-day.ts"
import { pressOf, useDragStart } from "../use-drag.ts"
import { numberPixels, pixelsAt, type Scale, widthOf } from "./scale.ts"

interface LaneProps {
  row: DeskRow
  stops: DeskRow["stops"]
  times: DayTimes
  /** Stops that would be added by the drag. */
  added: ReadonlySet<string> | undefined
  desk: Desk
  text: DeskText
  scale: Scale
  onOpen(taskId: string): void
  onReorder(email: string, taskId: string, by: 1 | -1): void
}

/** Still to be seen and hit. */
const narrowestPixels = 4
/** Narrower blocks show their place in the order instead of a title, as far as its digits fit. */
const titlePixels = 44
const digitPixels = 6

/** The stops of one person along the hours, with the travel and the waiting between them. One stop of the keyboard. */
export function Lane({ row, stops, times, added, desk, text, scale, onOpen, onReorder }: LaneProps) {
  const t = useMessages(dispatchMessages)
  const store = useDeskStore()
  const laneId = useId()
  const [active, setActive] = useState(0)
  const { email, name } = row.person
  const { shift, pause } = row.worker
  const press = (event: KeyboardEvent) => {
    const stop = stops[Math.min(active, stops.length - 1)]
    if (!stop) return
    const by = stepOf(event.key)
    if (by !== 0 && event.altKey) {
      if (!stop.isDone) onReorder(email, stop.id, by)
      setActive(Math.max(0, Math.min(stops.length - 1, active + by)))
    } else if (by !== 0) setActive(Math.max(0, Math.min(stops.length - 1, active + by)))
    else if (event.key === "Home") setActive(0)
    else if (event.key === "End") setActive(stops.length - 1)
    else if (event.key === " ") toggleSelected(store, stop.id)
    else if (event.key === "a" && (event.ctrlKey || event.metaKey))
      store.set({ selected: new Set(stops.flatMap(({ id, isDone }) => (isDone ? [] : [id]))) })
    else if (event.key === "Escape") store.set({ selected: new Set() })
    else if (event.key === "Enter") onOpen(stop.id)
    else if (event.key.toLowerCase() === "m" && !event.ctrlKey && !event.metaKey) {
      const { selected } = store.get()
      store.set({ selected: selected.size > 0 ? selected : new Set([stop.id]), isAssigning: true })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const bar = (start: number, end: number) => ({
    insetInlineStart: pixelsAt(scale, Math.max(start, scale.from)),
    width: Math.max(
      0,
      pixelsAt(scale, Math.min(end, scale.to)) - pixelsAt(scale, Math.max(start, scale.from)),
    ),
  })
  return (
    <div
      className="desk-lane"
      data-lane
      role="listbox"
      aria-label={t("lane", { name })}
      aria-multiselectable
      aria-orientation="horizontal"
      aria-activedescendant={stops[active] ? `${laneId}-${active}` : undefined}
      tabIndex={0}
      style={{ width: widthOf(scale) }}
      onKeyDown={press}
    >
      {shift ? <span className="desk-shift" style={bar(shift.start, shift.end)} /> : null}
      {pause ? <span className="desk-pause" title={t("pause")} style={bar(pause.start, pause.end)} /> : null}
      {stops.map((stop, index) => {
        const own = times.stops[index]
        return own ? (
          <Block
            key={stop.id}
            id={`${laneId}-${index}`}
            stopId={stop.id}
            order={index + 1}
            email={email}
            times={own}
            next={times.stops[index + 1]?.start}
            before={index > 0 ? times.stops[index - 1]?.leave : undefined}
            title={desk.taskOf.get(stop.id)?.title || t("untitled")}
            isDone={stop.isDone}
            isAdded={added?.has(stop.id) ?? false}
            isActive={index === active}
            text={text}
            scale={scale}
            onOpen={onOpen}
          />
        ) : null
      })}
    </div>
  )
}

interface BlockProps {
  id: string
  stopId: string
  /** Its place in the day, from 1. */
  order: number
  email: string
  times: StopTimes
  /** When the next stop begins: a short one takes no room from it. */
  next: number | undefined
  /** When the stop before is left. */
  before: number | undefined
  title: string
  isDone: boolean
  isAdded: boolean
  isActive: boolean
  text: DeskText
  scale: Scale
  onOpen(taskId: string): void
}

/** As long as it takes, and at least legible where nothing follows at once. */
function pixelsOf(start: number, leave: number, next: number | undefined): number {
  const own = leave - start - 1
  const room = next === undefined || next <= start ? numberPixels : next - start - 1
  return Math.max(narrowestPixels, own, Math.min(numberPixels, room))
}

const Block = memo(function PlainBlock(props: BlockProps) {
  const { stopId, email, times, before, title, isDone, isAdded, text, scale } = props
  const t = useMessages(dispatchMessages)
  const store = useDeskStore()
  const start = useDragStart()
  const isSelected = useDesk((state) => state.selected.has(stopId))
  const at = (seconds: number) => pixelsAt(scale, seconds)
  if (times.leave < scale.from || times.start > scale.to) return null
  const name = t("block", {
    order: props.order,
    title,
    from: text.clock(times.start),
    to: text.clock(times.leave),
  })
  const lateness = times.late > 0 ? ` · ${t("lateBy", { time: spanText(times.late) })}` : ""
  const width = pixelsOf(
    at(times.start),
    at(times.leave),
    props.next === undefined ? undefined : at(props.next),
  )
  const hasTravel = times.travel > 0 && !isDone
  const waits = times.start - times.arrival
  return (
    <>
      {hasTravel ? (
        <span
          className="desk-travel"
          style={{ insetInlineStart: at(times.arrival - times.travel), width: at(times.travel + scale.from) }}
          title={t("driving", { time: spanText(times.travel) })}
        />
      ) : null}
      {waits > 60 && before !== undefined && !isDone ? (
        <span
          className="desk-waiting"
          style={{ insetInlineStart: at(times.arrival), width: at(waits + scale.from) }}
          title={t("waiting", { time: spanText(waits) })}
        />
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the lane takes the keys for its active stop */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the lane has the focus for its stops */}
      <div
        id={props.id}
        role="option"
        aria-selected={isSelected}
        aria-label={name + lateness}
        title={name + lateness}
        className="desk-block"
        data-stop={stopId}
        data-active={props.isActive}
        data-done={isDone}
        data-late={times.late > 0}
        {...(isAdded ? { "data-added": "" } : {})}
        data-narrow={width < titlePixels}
        style={{ insetInlineStart: at(times.start), width }}
        onPointerDown={isDone ? undefined : pressOf(start, { id: stopId, from: email })}
        onClick={(event) => {
          if (event.shiftKey || event.ctrlKey || event.metaKey) toggleSelected(store, stopId)
          else props.onOpen(stopId)
        }}
      >
        {width >= titlePixels
          ? title
          : width >= digitPixels * String(props.order).length + 2
            ? props.order
            : null}
      </div>
    </>
  )
})
