import type { Made } from "./drivers.ts"

export interface DayReport {
  visited: number
  dropped: number
  /** Visits with a window, and those of them that began in it. */
  windows: { made: number; kept: number }
  /** Arrivals within an hour of the time that was promised when the visit was planned. */
  promises: { made: number; kept: number }
  /** Visits that went to another driver, for one driver in the mean and at most. */
  changes: { mean: number; most: number; maxPerOrder: number }
  kilometers: number
  perfectKilometers: number
  perfectDropped: number
  /** From an event to its proposal, milliseconds. */
  proposals: { count: number; median: number; p95: number }
}

interface DrivenDay {
  made: readonly Made[]
  /** Promised times, by visit. */
  promised: ReadonlyMap<string, number>
  /** Visits that were not cancelled. */
  expected: number
  changes: readonly number[]
  maxPerOrder: number
  meters: number
  perfect: { meters: number; dropped: number }
  proposalTimes: readonly number[]
}

const tolerance = 3600

export function reportOf(driven: DrivenDay): DayReport {
  const { made, promised, changes, perfect, meters, proposalTimes } = driven
  const windowed = made.filter(({ order }) => order.window)
  const expected = made.filter(({ order }) => promised.has(order.id))
  const times = proposalTimes.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0)
  const isOnTime = ({ order, arrival }: Made) =>
    Math.abs(arrival - (promised.get(order.id) ?? 0)) <= tolerance
  return {
    visited: made.length,
    dropped: driven.expected - made.length,
    windows: {
      made: windowed.length,
      kept: windowed.filter(({ order, begin }) => begin <= (order.window?.[1] ?? 0)).length,
    },
    promises: { made: expected.length, kept: expected.filter(isOnTime).length },
    changes: {
      mean: changes.reduce((sum, count) => sum + count, 0) / Math.max(1, changes.length),
      most: Math.max(...changes),
      maxPerOrder: driven.maxPerOrder,
    },
    kilometers: meters / 1000,
    perfectKilometers: perfect.meters / 1000,
    perfectDropped: perfect.dropped,
    proposals: { count: times.length, median: at(0.5), p95: at(0.95) },
  }
}

/** A report as lines for people. */
export function linesOf(report: DayReport): string[] {
  const { windows, promises, changes, proposals, kilometers, perfectKilometers } = report
  const share = (kept: number, made: number) =>
    `${kept} of ${made} (${((100 * kept) / Math.max(1, made)).toFixed(1)} %)`
  const more = 100 * (kilometers / Math.max(1, perfectKilometers) - 1)
  return [
    `visits: ${report.visited} made, ${report.dropped} not made (${report.perfectDropped} with perfect information)`,
    `windows kept: ${share(windows.kept, windows.made)}`,
    `within an hour of the promised time: ${share(promises.kept, promises.made)}`,
    `stops that changed the driver: ${changes.mean.toFixed(2)} per driver, at most ${changes.most}; at most ${changes.maxPerOrder} for one order`,
    `kilometres: ${kilometers.toFixed(0)}, with perfect information ${perfectKilometers.toFixed(0)} (${more >= 0 ? "+" : ""}${more.toFixed(1)} %)`,
    `proposals: ${proposals.count}, median ${proposals.median} ms, p95 ${proposals.p95} ms`,
  ]
}
