/** A point inside a ring near its middle: the middle of the longest span of the line through the centroid. */
export function labelPoint(ring: Int32Array): Int32Array {
  const y = centerY(ring)
  const crossings: number[] = []
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]]
    if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
  }
  crossings.sort((one, other) => one - other)
  let [x, widest] = [ring[0] ?? 0, -1]
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [from = 0, to = 0] = [crossings[at], crossings[at + 1]]
    if (to - from > widest) [x, widest] = [Math.round((from + to) / 2), to - from]
  }
  return Int32Array.of(x, Math.round(y))
}

/** Slightly off the centroid, so that the line does not pass through corners of regular shapes. */
function centerY(ring: Int32Array): number {
  let [sum, weight] = [0, 0]
  const base = ring[1] ?? 0
  const baseX = ring[0] ?? 0
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1, y1] = [(ring[at] ?? 0) - baseX, (ring[at + 1] ?? 0) - base]
    const [x2, y2] = [(ring[at + 2] ?? 0) - baseX, (ring[at + 3] ?? 0) - base]
    const cross = x1 * y2 - x2 * y1
    sum += (y1 + y2) * cross
    weight += 3 * cross
  }
  return weight === 0 ? base + 0.5 : base + sum / weight + 0.5
}
