/** Douglas-Peucker on x and y alternating. The ends remain; of a ring also the point farthest from its start. */
export function simplify(line: readonly number[], tolerance: number): readonly number[] {
  const count = line.length / 2
  if (count <= 2 || tolerance <= 0) return line
  const keep = new Uint8Array(count)
  keep[0] = 1
  keep[count - 1] = 1
  const limit = tolerance * tolerance
  const open: [number, number][] = [[0, count - 1]]
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span
    const [farthest, distance] = farthestPoint(line, first, last)
    if (distance <= limit) continue
    keep[farthest] = 1
    if (farthest - first > 1) open.push([first, farthest])
    if (last - farthest > 1) open.push([farthest, last])
  }
  const kept: number[] = []
  for (let index = 0; index < count; index += 1)
    if (keep[index]) kept.push(line[index * 2] ?? 0, line[index * 2 + 1] ?? 0)
  return kept
}

function farthestPoint(line: readonly number[], first: number, last: number): [number, number] {
  const [x1 = 0, y1 = 0] = [line[first * 2], line[first * 2 + 1]]
  const dx = (line[last * 2] ?? 0) - x1
  const dy = (line[last * 2 + 1] ?? 0) - y1
  const length = dx * dx + dy * dy
  let [farthest, most] = [first, -1]
  for (let index = first + 1; index < last; index += 1) {
    let [px, py] = [(line[index * 2] ?? 0) - x1, (line[index * 2 + 1] ?? 0) - y1]
    if (length > 0) {
      const along = Math.max(0, Math.min(1, (px * dx + py * dy) / length))
      px -= along * dx
      py -= along * dy
    }
    const distance = px * px + py * py
    if (distance > most) [farthest, most] = [index, distance]
  }
  return [farthest, most]
}
