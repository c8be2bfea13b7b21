/**
 * Joins lines that continue each other, so that names have room along them. Each line is x and y alternating. Where
 * three or more meet, the first two are joined.
 */
export function mergeLines(lines: readonly (readonly number[])[], isDirected: boolean): readonly number[][] {
  const open = new Set<number[]>()
  const starts = new Map<string, Set<number[]>>()
  const ends = new Map<string, Set<number[]>>()
  for (const line of lines) {
    let joined = [...line]
    while (true) {
      const before = take(ends, startOf(joined))
      if (before) {
        drop(before)
        joined = [...before, ...joined.slice(2)]
        continue
      }
      const after = take(starts, endOf(joined))
      if (after) {
        drop(after)
        joined = [...joined, ...after.slice(2)]
        continue
      }
      const facing = isDirected ? undefined : (take(starts, startOf(joined)) ?? take(ends, endOf(joined)))
      if (!facing) break
      joined = reversed(joined)
    }
    open.add(joined)
    put(starts, startOf(joined), joined)
    put(ends, endOf(joined), joined)
  }
  return [...open]

  function drop(line: number[]): void {
    open.delete(line)
    starts.get(startOf(line))?.delete(line)
    ends.get(endOf(line))?.delete(line)
  }
}

const startOf = (line: readonly number[]) => `${line[0]},${line[1]}`
const endOf = (line: readonly number[]) => `${line.at(-2)},${line.at(-1)}`

function put(index: Map<string, Set<number[]>>, key: string, line: number[]): void {
  const known = index.get(key)
  if (known) known.add(line)
  else index.set(key, new Set([line]))
}

function take(index: ReadonlyMap<string, Set<number[]>>, key: string): number[] | undefined {
  return index.get(key)?.values().next().value
}

function reversed(line: readonly number[]): number[] {
  const turned: number[] = []
  for (let at = line.length - 2; at >= 0; at -= 2) turned.push(line[at] ?? 0, line[at + 1] ?? 0)
  return turned
}
