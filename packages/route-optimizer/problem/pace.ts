/** A day on which driving takes longer in some hours. Progress is counted in seconds at the speed of the durations. */

const hourSeconds = 3600
const hoursOfDay = 24
const daySeconds = hoursOfDay * hourSeconds

/** Progress that is possible by the end of each hour of a day, from 0: 25 numbers. */
export type Pace = Float64Array

const paces = new WeakMap<readonly number[], Pace>()

/** @param slowness per hour of the day, how many times longer a drive takes; the same on every day */
export function paceOf(slowness: readonly number[] | undefined): Pace | undefined {
  if (slowness === undefined) return undefined
  const known = paces.get(slowness)
  if (known) return known
  const pace = new Float64Array(hoursOfDay + 1)
  for (let hour = 0; hour < hoursOfDay; hour++)
    pace[hour + 1] = (pace[hour] as number) + hourSeconds / (slowness[hour] ?? 1)
  paces.set(slowness, pace)
  return pace
}

/** Progress that is possible from the first midnight until t. */
export function progressAt(pace: Pace, t: number): number {
  if (!Number.isFinite(t)) return t
  const days = Math.floor(t / daySeconds)
  const time = t - days * daySeconds
  const hour = Math.min(hoursOfDay - 1, Math.floor(time / hourSeconds))
  const begun = pace[hour] as number
  const perSecond = ((pace[hour + 1] as number) - begun) / hourSeconds
  return days * (pace[hoursOfDay] as number) + begun + (time - hour * hourSeconds) * perSecond
}

/** When so much progress has been possible. */
export function timeAt(pace: Pace, progress: number): number {
  if (!Number.isFinite(progress)) return progress
  const whole = pace[hoursOfDay] as number
  const days = Math.floor(progress / whole)
  const rest = progress - days * whole
  let hour = 0
  while (hour < hoursOfDay - 1 && rest >= (pace[hour + 1] as number)) hour++
  const begun = pace[hour] as number
  const perProgress = hourSeconds / ((pace[hour + 1] as number) - begun)
  return days * daySeconds + hour * hourSeconds + (rest - begun) * perProgress
}

/** Seconds from t until driving becomes faster or slower; Infinity where it never does. */
export function secondsUntilChange(pace: Pace, t: number): number {
  const hour = Math.floor(t / hourSeconds)
  const speedIn = (at: number) => {
    const ofDay = ((at % hoursOfDay) + hoursOfDay) % hoursOfDay
    return (pace[ofDay + 1] as number) - (pace[ofDay] as number)
  }
  for (let next = 1; next <= hoursOfDay; next++) {
    if (speedIn(hour + next) !== speedIn(hour)) return (hour + next) * hourSeconds - t
  }
  return Number.POSITIVE_INFINITY
}
