import "./tracking.css"
import { UnstyledButton } from "@mantine/core"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useLayoutEffect, useRef, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"

export interface PersonListProps {
  positions: readonly Position[]
  now: number
  chosen: string | undefined
  onChoose(userId: string | undefined): void
}

const order = ["moving", "still", "silent", "never-seen"] as const
const rowPixels = 54

/** All people with their current state, moving ones first. Only rows near the visible ones are elements of the page. */
export function PersonList({ positions, now, chosen, onChoose }: PersonListProps) {
  const t = useMessages(trackingMessages)
  const formats = useFormats()
  // They come by name, so that nothing is sorted however often positions come.
  const byMovement = Map.groupBy(positions, (position) => movementNow(position, now))
  const sorted = order.flatMap((movement) =>
    (byMovement.get(movement) ?? []).map((position) => ({ position, movement })),
  )
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // What stands above the list comes and goes.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => list.current?.parentElement ?? null,
    estimateSize: () => rowPixels,
    getItemKey: (index) => sorted[index]?.position.userId ?? index,
    scrollMargin: top,
    overscan: 12,
  })
  const rows = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const row = sorted[index]
    return row ? [{ ...row, index, start: start - top }] : []
  })
  return (
    <ul
      ref={list}
      className="person-list"
      aria-label={t("people")}
      style={{ height: virtual.getTotalSize() }}
    >
      {rows.map(({ position, movement, index, start }) => (
        <li
          key={position.userId}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={sorted.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start}px)` }}
        >
          <UnstyledButton
            className="person-row"
            aria-pressed={position.userId === chosen}
            onClick={() => onChoose(position.userId === chosen ? undefined : position.userId)}
          >
            <span className="movement" data-movement={movement} aria-hidden />
            <span className="user-names">
              <span className="user-name">{position.name}</span>
              <span className="user-role">
                {t(movement)}
                {movement === "moving" && position.speed !== null
                  ? ` · ${formats.speed(position.speed)}`
                  : ""}
              </span>
            </span>
            <span className="quiet person-age">
              {position.createdTime ? formats.ago(position.createdTime, now) : ""}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
