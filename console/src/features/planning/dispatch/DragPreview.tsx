import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { createPortal } from "react-dom"
import { useMessages } from "../../../i18n/language.tsx"
import type { DeskRow } from "./desk-rows.ts"
import { type Drag, useDesk } from "./desk-store.ts"
import type { DeskText } from "./desk-text.ts"
import { dispatchMessages } from "./messages.ts"
import type { Desk } from "./use-dispatch-day.ts"
import { namesAt, usePlaced } from "./use-travel.ts"

const maxShownProblems = 4

/** Beside the pointer while tasks are dragged: on whom they would be dropped, and what that would mean. */
export function DragPreview({ desk, text }: { desk: Desk; text: DeskText }) {
  const drag = useDesk((state) => state.drag)
  if (!drag) return null
  const row = drag.target?.email ? desk.rowOf.get(drag.target.email) : undefined
  const isFarRight = drag.x > window.innerWidth - 320
  const isFarDown = drag.y > window.innerHeight - 220
  return createPortal(
    <div
      className="desk-ghost"
      role="status"
      style={{
        transform: `translate(${drag.x + (isFarRight ? -16 : 16)}px, ${drag.y + (isFarDown ? -12 : 14)}px)
          translate(${isFarRight ? "-100%" : "0"}, ${isFarDown ? "-100%" : "0"})`,
      }}
    >
      <Effect drag={drag} row={row} desk={desk} text={text} />
    </div>,
    document.body,
  )
}

interface EffectProps {
  drag: Drag
  row: DeskRow | undefined
  desk: Desk
  text: DeskText
}

function Effect({ drag, row, desk, text }: EffectProps) {
  const t = useMessages(dispatchMessages)
  const [first] = drag.ids
  const title = desk.taskOf.get(first ?? "")?.title || t("untitled")
  const more = drag.ids.length > 1 ? ` +${drag.ids.length - 1}` : ""
  return (
    <>
      <strong className="truncate">{title + more}</strong>
      {drag.target?.email === null ? <span>{t("dropUnassigned")}</span> : null}
      {drag.target ? null : <span className="quiet">{t("dragHint")}</span>}
      {row ? (
        <EffectOnRow
          key={row.person.email}
          ids={drag.ids}
          at={drag.target?.at}
          row={row}
          desk={desk}
          text={text}
        />
      ) : null}
    </>
  )
}

interface EffectOnRowProps extends Omit<EffectProps, "drag" | "row"> {
  ids: readonly string[]
  at: number | undefined
  row: DeskRow
}

/** The new end of the day, the additional driving, and each rule that would be broken. */
export function EffectOnRow({ ids, at, row: known, desk, text }: EffectOnRowProps) {
  const t = useMessages(dispatchMessages)
  const { preview, isByRoad, outOfReach } = usePlaced(known, desk, ids, at)
  if (!preview) return null
  const minutes = Math.round(preview.extraTravel / 60)
  // Today, arrivals are estimated again once the stops have changed.
  const ends = desk.now === undefined ? "endsLater" : "endsAbout"
  return (
    <>
      <span>
        {known.person.name}
        {" · "}
        {t(minutes < 0 ? "lessDriving" : "moreDriving", { minutes: String(minutes).replace("-", "−") })}
        {preview.times.end === undefined ? "" : ` · ${t(ends, { time: text.clock(preview.times.end) })}`}
      </span>
      {preview.problems.length === 0 ? (
        <span className="desk-fits">
          <IconCircleCheck size={14} aria-hidden /> {t("noProblems")}
        </span>
      ) : null}
      {preview.problems.slice(0, maxShownProblems).map((problem) => (
        <span key={JSON.stringify(problem)} className="desk-problem">
          <IconAlertTriangle size={14} aria-hidden /> {text.problem(problem)}
        </span>
      ))}
      {preview.problems.length > maxShownProblems ? (
        <span className="desk-problem">
          {t("moreProblems", { count: preview.problems.length - maxShownProblems })}
        </span>
      ) : null}
      <TravelSource isByRoad={isByRoad} outOfReach={outOfReach} desk={desk} />
    </>
  )
}

interface TravelSourceProps {
  isByRoad: boolean
  outOfReach: readonly (readonly number[])[]
  desk: Desk
}

/** Where travel times come from, and which places no road leads to. */
export function TravelSource({ isByRoad, outOfReach, desk }: TravelSourceProps) {
  const t = useMessages(dispatchMessages)
  const text = !isByRoad
    ? t("greatCircle")
    : outOfReach.length > 0
      ? t("byRoadExcept", { places: namesAt(outOfReach, desk) })
      : t("byRoad")
  return <span className="quiet desk-source">{text}</span>
}
