import { type PointerEvent, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { shareFromStart, stepOf } from "../../../ui/reading-direction.ts"
import { dispatchMessages } from "./messages.ts"

interface SplitterProps {
  /** Between panels beside each other it is a vertical line. */
  orientation: "vertical" | "horizontal"
  /** Percent of the first panel. */
  value: number
  onChange(value: number): void
  /** The pointer or the key was let go: this is what stays. */
  onDone(value: number): void
}

const smallestShare = 12
const step = 2
const within = (value: number) => Math.min(100 - smallestShare, Math.max(smallestShare, value))

/** The line between two panels; it is dragged, or moved with the arrow keys. */
export function Splitter({ orientation, value, onChange, onDone }: SplitterProps) {
  const t = useMessages(dispatchMessages)
  const last = useRef(value)
  const change = (next: number) => {
    last.current = within(next)
    onChange(last.current)
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const share =
      orientation === "vertical" ? shareFromStart(event.clientX, box) : (event.clientY - box.top) / box.height
    change(share * 100)
  }
  const stepBy = (key: string) =>
    orientation === "vertical" ? stepOf(key) : key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0
  return (
    <hr
      className="desk-splitter"
      aria-orientation={orientation}
      aria-label={t("resize")}
      aria-valuenow={Math.round(value)}
      aria-valuemin={smallestShare}
      aria-valuemax={100 - smallestShare}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault()
        last.current = value
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => onDone(last.current)}
      onKeyDown={(event) => {
        const by = stepBy(event.key)
        if (by === 0) return
        event.preventDefault()
        change(value + by * step)
        onDone(last.current)
      }}
    />
  )
}
