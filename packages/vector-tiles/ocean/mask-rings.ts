/** Outlines of the marked cells of a grid, in cells. The marked side is on the right: outer rings run clockwise. */
export function maskRings(mask: Uint8Array, width: number, height: number): number[][] {
  const nextOf = edges(mask, width, height)
  const stride = width + 1
  const rings: number[][] = []
  for (const start of nextOf.keys()) {
    while (nextOf.has(start)) {
      const ring: number[] = []
      let at = start
      do {
        ring.push(at % stride, Math.floor(at / stride))
        const ends: number[] = nextOf.get(at) ?? []
        const next = ends.pop()
        if (ends.length === 0) nextOf.delete(at)
        if (next === undefined) break
        at = next
      } while (at !== start)
      ring.push(start % stride, Math.floor(start / stride))
      rings.push(smooth(ring))
    }
  }
  return rings
}

function edges(mask: Uint8Array, width: number, height: number): Map<number, number[]> {
  const stride = width + 1
  const nextOf = new Map<number, number[]>()
  const edge = (from: number, to: number) => {
    const known = nextOf.get(from)
    if (known) known.push(to)
    else nextOf.set(from, [to])
  }
  const isMarked = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] === 1
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isMarked(x, y)) continue
      const corner = y * stride + x
      if (!isMarked(x, y - 1)) edge(corner, corner + 1)
      if (!isMarked(x + 1, y)) edge(corner + 1, corner + 1 + stride)
      if (!isMarked(x, y + 1)) edge(corner + 1 + stride, corner + stride)
      if (!isMarked(x - 1, y)) edge(corner + stride, corner)
    }
  return nextOf
}

/** Midpoints of the steps instead of their corners, each averaged with its neighbours: stairs become curves. */
function smooth(ring: readonly number[]): number[] {
  const count = ring.length / 2 - 1
  const midpoint = (index: number, axis: 0 | 1) => {
    const at = ((index + count) % count) * 2 + axis
    return ((ring[at] ?? 0) + (ring[at + 2] ?? 0)) / 2
  }
  const reach = Math.min(3, Math.floor(count / 8))
  const smoothed: number[] = []
  for (let index = 0; index < count; index += 1)
    for (const axis of [0, 1] as const) {
      let [sum, weight] = [0, 0]
      for (let step = -reach; step <= reach; step += 1) {
        const share = reach + 1 - Math.abs(step)
        sum += share * midpoint(index + step, axis)
        weight += share
      }
      smoothed.push(sum / weight)
    }
  smoothed.push(smoothed[0] ?? 0, smoothed[1] ?? 0)
  return smoothed
}
