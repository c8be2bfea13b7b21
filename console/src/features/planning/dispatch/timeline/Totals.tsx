import { VisuallyHidden } from "@mantine/core"
import {
  type Icon,
  IconAlertTriangle,
  IconFlag,
  IconMapPin,
  IconRoadOff,
  IconSteeringWheel,
  IconUsers,
} from "@tabler/icons-react"
import { useMessages } from "../../../../i18n/language.tsx"
import type { DeskRow } from "../desk-rows.ts"
import { type DeskText, spanText } from "../desk-text.ts"
import { dispatchMessages } from "../messages.ts"

interface TotalsProps {
  stops: number
  /** Seconds. */
  travel: number
  /** When the last stop ends; undefined without open stops. */
  end: number | undefined
  late: number
  /** The names of stops that no road leads to. */
  outOfReach?: string | undefined
  isOverShift?: boolean
  text: DeskText
}

/** Stops, driving, end and lateness of one person. */
export function Totals({ stops, travel, end, late, outOfReach, isOverShift, text }: TotalsProps) {
  const t = useMessages(dispatchMessages)
  return (
    <span className="desk-totals quiet">
      <Total icon={IconMapPin} text={String(stops)} title={t("stops", { count: stops })} />
      {travel > 0 ? (
        <Total
          icon={IconSteeringWheel}
          text={spanText(travel)}
          title={t("driving", { time: spanText(travel) })}
        />
      ) : null}
      {end === undefined ? null : (
        <Total
          icon={IconFlag}
          text={text.clock(end)}
          title={t("endsAt", { time: text.clock(end) })}
          isBad={isOverShift}
        />
      )}
      {late > 0 ? (
        <Total icon={IconAlertTriangle} text={String(late)} title={t("lateStops", { count: late })} isBad />
      ) : null}
      {outOfReach === undefined ? null : (
        <Total icon={IconRoadOff} text="" title={t("byRoadExcept", { places: outOfReach })} isBad />
      )}
    </span>
  )
}

/** Of the rows that are shown, in the corner over their names. */
export function TotalsOfAll({ rows }: { rows: readonly DeskRow[] }) {
  const t = useMessages(dispatchMessages)
  const stops = rows.reduce((sum, row) => sum + openStops(row), 0)
  const late = rows.reduce((sum, { times }) => sum + times.lateCount, 0)
  return (
    <div className="desk-all">
      <span className="desk-totals quiet">
        <Total icon={IconUsers} text={String(rows.length)} title={t("people", { count: rows.length })} />
        <Total icon={IconMapPin} text={String(stops)} title={t("stops", { count: stops })} />
        {late > 0 ? (
          <Total icon={IconAlertTriangle} text={String(late)} title={t("lateStops", { count: late })} isBad />
        ) : null}
      </span>
    </div>
  )
}

export function openStops({ stops }: Pick<DeskRow, "stops">): number {
  return stops.filter(({ isDone }) => !isDone).length
}

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
