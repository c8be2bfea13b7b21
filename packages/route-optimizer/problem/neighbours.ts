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
