import type { DeskRow } from "../desk-rows.ts"

/** What part of time the timeline shows, and how large. Times are epoch seconds. */
export interface Scale {
  from: number
  to: number
  pixelsPerHour: number
}

export const zoomLevels = [24, 40, 60, 90, 140, 220] as const
const usualZoom = 60
/** Beyond it, too little of the day is on the screen. */
const closestFirstZoom = 140
/** A block with its place in the order. */
export const numberPixels = 16
const hour = 3600

/** All hours of the day in which anybody has a stop or works, and at least eight of them. */
export function scaleOf(
  rows: readonly DeskRow[],
  { from, until }: { from: number; until: number },
  now: number | undefined,
  pixelsPerHour: number,
): Scale {
  let [first, last] = [from + 8 * hour, from + 17 * hour]
  const include = (start: number, end: number) => {
    // Work left over from other days lies outside of the day.
    if (start >= from && start < until) first = Math.min(first, start)
    if (end > from && end <= until + 6 * hour) last = Math.max(last, end)
  }
  for (const { worker, times } of rows) {
    if (worker.shift) include(worker.shift.start, worker.shift.end)
    for (const { arrival, leave, travel } of times.stops) include(arrival - travel, leave)
  }
  // At night the morning is what counts.
  if (now !== undefined && now > first - 2 * hour && now < last + 2 * hour) include(now, now)
  const start = Math.max(from, Math.floor((first - hour / 2) / hour) * hour)
  return { from: start, to: Math.ceil((last + hour / 2) / hour) * hour, pixelsPerHour }
}

/** Until somebody zooms: nine of ten stops are wide enough to show their place in the order. */
export function readableZoom(rows: readonly DeskRow[]): number {
  const gaps = rows
    .flatMap(({ times: { stops } }) =>
      stops.slice(1).map(({ start }, index) => start - (stops[index]?.start ?? start)),
    )
    .filter((gap) => gap > 0)
    .sort((one, other) => one - other)
  const short = gaps[Math.floor(gaps.length / 10)] ?? hour
  const needed = Math.max(usualZoom, (numberPixels * hour) / short)
  return zoomLevels.find((level) => level >= Math.min(needed, closestFirstZoom)) ?? usualZoom
}

export const pixelsAt = ({ from, pixelsPerHour }: Scale, seconds: number) =>
  ((seconds - from) / hour) * pixelsPerHour

export const widthOf = (scale: Scale) => pixelsAt(scale, scale.to)

/** Whole hours of the scale; every second or third where they would be too close. */
export function hourMarks({ from, to, pixelsPerHour }: Scale): number[] {
  const every = (pixelsPerHour < 34 ? 3 : pixelsPerHour < 50 ? 2 : 1) * hour
  const marks: number[] = []
  for (let at = from; at < to; at += every) marks.push(at)
  return marks
}

export function nextZoom(pixelsPerHour: number, by: 1 | -1): number {
  const at = zoomLevels.findIndex((level) => level >= pixelsPerHour)
  return zoomLevels[Math.max(0, Math.min(zoomLevels.length - 1, at + by))] ?? usualZoom
}
