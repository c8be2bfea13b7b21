import "./timeline.css"
import { TextInput } from "@mantine/core"
import { IconSearch, IconZoomIn, IconZoomOut } from "@tabler/icons-react"
import { useVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { isRightToLeft } from "../../../../ui/reading-direction.ts"
import type { DeskText } from "../desk-text.ts"
import { dispatchMessages } from "../messages.ts"
import type { Desk } from "../use-dispatch-day.ts"
import {
  hourMarks,
  nextZoom,
  pixelsAt,
  readableZoom,
  type Scale,
  scaleOf,
  widthOf,
  zoomLevels,
} from "./scale.ts"
import { TimelineRow } from "./TimelineRow.tsx"
import { TotalsOfAll } from "./Totals.tsx"

interface TimelineProps {
  desk: Desk
  text: DeskText
  /** Pixels of an hour. */
  chosenZoom: number | undefined
  onZoom(pixelsPerHour: number): void
  onOpen(taskId: string): void
  /** Moves a stop of a person by a place. */
  onReorder(email: string, taskId: string, by: 1 | -1): void
}

const rowPixels = 52
const headPixels = 28

/** One row for each person. Only the rows on the screen exist. */
export function Timeline({ desk, text, chosenZoom, onZoom, onOpen, onReorder }: TimelineProps) {
  const t = useMessages(dispatchMessages)
  const scroller = useRef<HTMLDivElement>(null)
  const [sought, setSought] = useState("")
  // It stays while the stops of the day change.
  const [firstZoom] = useState(() => readableZoom(desk.rows))
  const zoom = chosenZoom ?? firstZoom
  const rows = useMemo(() => {
    const words = sought.trim().toLowerCase()
    return desk.rows.filter(
      ({ person }) =>
        words === "" || `${person.name} ${person.vehicle?.name ?? ""}`.toLowerCase().includes(words),
    )
  }, [desk.rows, sought])
  const scale = useMemo(() => scaleOf(desk.rows, desk.day, desk.now, zoom), [desk, zoom])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 4,
    paddingStart: headPixels,
  })
  useNowInSight(scroller, scale, desk.now)
  const marks = hourMarks(scale)
  return (
    <div className="desk-timeline">
      <div className="desk-panel-head">
        <TextInput
          size="xs"
          aria-label={t("searchPeople")}
          placeholder={t("searchPeople")}
          leftSection={<IconSearch size={14} aria-hidden />}
          className="desk-search"
          {...bindText(sought, setSought)}
        />
        <span className="quiet desk-hint">{t("keys")}</span>
        <IconButton
          icon={IconZoomOut}
          label={t("zoomOut")}
          disabled={zoom <= zoomLevels[0]}
          onClick={() => onZoom(nextZoom(zoom, -1))}
        />
        <IconButton
          icon={IconZoomIn}
          label={t("zoomIn")}
          disabled={zoom >= (zoomLevels.at(-1) ?? 0)}
          onClick={() => onZoom(nextZoom(zoom, 1))}
        />
      </div>
      {desk.rows.length === 0 ? <p className="desk-nothing quiet">{t("noPeople")}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area is reached by keyboard */}
      <section ref={scroller} className="desk-timeline-rows" tabIndex={0} aria-label={t("timeline")}>
        <div
          style={{ height: virtual.getTotalSize(), width: `calc(${widthOf(scale)}px + var(--desk-names))` }}
          className="desk-timeline-content"
        >
          <div className="desk-top">
            {rows.length > 0 ? <TotalsOfAll rows={rows} /> : null}
            <div className="desk-hours" aria-hidden>
              {marks.map((mark) => (
                <span key={mark} style={{ insetInlineStart: pixelsAt(scale, mark) }}>
                  {text.clock(mark)}
                </span>
              ))}
            </div>
          </div>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return row ? (
              <TimelineRow
                key={row.person.email}
                row={row}
                top={start}
                desk={desk}
                text={text}
                scale={scale}
                onOpen={onOpen}
                onReorder={onReorder}
              />
            ) : null
          })}
          {desk.now !== undefined && desk.now < scale.to ? (
            <div
              className="desk-now"
              title={t("now")}
              style={{ insetInlineStart: `calc(var(--desk-names) + ${pixelsAt(scale, desk.now)}px)` }}
            />
          ) : null}
        </div>
      </section>
    </div>
  )
}

/** Opens at the hour before now where the day is wider than the screen. */
function useNowInSight(scroller: RefObject<HTMLElement | null>, scale: Scale, now: number | undefined): void {
  const first = useRef({ scale, now })
  useLayoutEffect(() => {
    const { scale: opened, now: at } = first.current
    if (at === undefined || at > opened.to) return
    const pixels = Math.max(0, pixelsAt(opened, at - 3600))
    scroller.current?.scrollTo({ left: isRightToLeft() ? -pixels : pixels })
  }, [scroller])
}
