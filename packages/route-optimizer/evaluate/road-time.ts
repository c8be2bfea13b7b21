import type { Vehicle } from "../problem/problem.ts"

/** Seconds of a drive at the speed of the durations that fit between two times, hour by hour and beside the breaks. */
export function driven(slowness: readonly number[], vehicle: Vehicle, from: number, to: number): number {
  let sum = 0
  for (let start = from; start < to; ) {
    const hour = Math.floor(start / 3600)
    const end = Math.min(to, (hour + 1) * 3600)
    sum += (end - start - sharedTime(vehicle, start, end)) / (slowness.at(hour % 24) ?? Number.NaN)
    start = end
  }
  return sum
}

/** Seconds of the breaks between two times. */
export function sharedTime(vehicle: Vehicle, from: number, to: number): number {
  let shared = 0
  for (const [start, end] of vehicle.breaks)
    if (start < to && end > from) shared += Math.min(end, to) - Math.max(start, from)
  return shared
}
