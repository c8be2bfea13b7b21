/**
 * The nearest other visits of each visit, nearest first, ties by index.
 *
 * A visit's rank key packs the quantised distance (40 bits) and the index (12 bits) into one exact double,
 * so that the native sort of a typed array does the work: 1,000 visits take about 0.1 s.
 *
 * @param distance square matrix of `size` rows whose first `count` rows are visits; at most 4,096 visits
 * @returns count rows of `width` visits
 */
export function nearestNeighbours(
  distance: Float64Array,
  size: number,
  count: number,
  width: number,
): Uint16Array {
  const result = new Uint16Array(count * width)
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    let longest = 0
    for (let j = 0; j < count; j++) longest = Math.max(longest, near(distance, size, i, j))
    const scale = longest > 0 ? 2 ** 39 / longest : 0
    for (let j = 0; j < count; j++) {
      keys[j] = j === i ? Number.POSITIVE_INFINITY : Math.floor(near(distance, size, i, j) * scale) * 4096 + j
    }
    const sorted = keys.slice().sort()
    for (let rank = 0; rank < width; rank++) result[i * width + rank] = (sorted[rank] as number) % 4096
  }
  return result
}

/** Mean of both directions: one-way streets make neither visit nearer than the other. */
function near(distance: Float64Array, size: number, i: number, j: number): number {
  return ((distance[i * size + j] as number) + (distance[j * size + i] as number)) / 2
}

/** Times of visits, for `likelyNeighbours`. */
export type VisitTimes = {
  readonly duration: Float64Array
  readonly open: Float64Array
  readonly close: Float64Array
  readonly service: Float64Array
}

/** What a second of waiting, and of being late, counts beside a second on the way. */
const waitWeight = 0.2
const lateWeight = 1

/**
 * Of the neighbours of each visit, those most likely served right before or behind it: near, and with windows that follow
 * each other. The measure is that of T. Vidal et al., "A hybrid genetic algorithm with adaptive diversity management for
 * a large class of vehicle routing problems with time-windows", Computers & Operations Research 40 (2013), section 4.5.
 *
 * @param neighbours rows of `width` visits, nearest first
 * @param factor seconds of the vehicles for a second of `duration`
 * @returns rows of `count` visits
 */
export function likelyNeighbours(
  distance: Float64Array,
  size: number,
  neighbours: Uint16Array,
  width: number,
  count: number,
  factor: number,
  times: VisitTimes,
): Uint16Array {
  const visits = times.open.length
  const pace = paceOf(distance, size, neighbours, width, factor, times)
  const result = new Uint16Array(visits * count)
  const costs = new Float64Array(count)
  for (let i = 0; i < visits; i++) {
    let filled = 0
    for (let rank = 0; rank < width; rank++) {
      const j = neighbours[i * width + rank] as number
      const after = near(distance, size, i, j) + pace * Math.min(idle(i, j), idle(j, i))
      if (filled === count && after >= (costs[count - 1] as number)) continue
      let at = filled < count ? filled++ : count - 1
      for (; at > 0 && (costs[at - 1] as number) > after; at--) {
        costs[at] = costs[at - 1] as number
        result[i * count + at] = result[i * count + at - 1] as number
      }
      costs[at] = after
      result[i * count + at] = j
    }
  }
  return result

  /** Weighted seconds of waiting and lateness of j behind i. */
  function idle(i: number, j: number): number {
    const { open, close, service, duration } = times
    const drive = (service[i] as number) + (duration[i * size + j] as number) * factor
    const wait = (open[j] as number) - (close[i] as number) - drive
    const late = (open[i] as number) + drive - (close[j] as number)
    return waitWeight * Math.max(0, wait) + lateWeight * Math.max(0, late)
  }
}

/** Units of distance in a second of a vehicle, between near visits. */
function paceOf(
  distance: Float64Array,
  size: number,
  neighbours: Uint16Array,
  width: number,
  factor: number,
  { duration, open }: VisitTimes,
): number {
  let way = 0
  let time = 0
  for (let i = 0; i < open.length; i++) {
    for (let rank = 0; rank < Math.min(width, 10); rank++) {
      const leg = i * size + (neighbours[i * width + rank] as number)
      way += distance[leg] as number
      time += (duration[leg] as number) * factor
    }
  }
  return time > 0 ? way / time : 1
}
