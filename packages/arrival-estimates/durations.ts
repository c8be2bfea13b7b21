/**
 * How long things take compared with what was expected of them: minutes on site compared with the planned ones, driving
 * compared with the road time. Factors by kind, worker and hour of the day; each is shrunk towards the level above it, so
 * that a worker with three visits counts as nearly average and one with three hundred as what they showed.
 */
export interface Duration {
  /** Kind of work; visits of one flow. */
  kind: string
  worker: string
  /** Local hour of the day, 0 to 23. */
  hour: number
  /** What was expected, seconds above 0. */
  expected: number
  actual: number
}

export interface DurationModel {
  overall: number
  kinds: Readonly<Record<string, number>>
  workers: Readonly<Record<string, number>>
  hours: Readonly<Record<string, number>>
  /** Standard deviation of the actual duration as a share of the predicted one. */
  spread: number
  count: number
}

export function emptyModel(spread: number): DurationModel {
  return { overall: 1, kinds: {}, workers: {}, hours: {}, spread, count: 0 }
}

/** As many observations as a level above counts for. */
const strength = { overall: 10, kinds: 8, workers: 15, hours: 25 } as const
/** Beyond these, somebody forgot to press a button. */
const plausibleRatio = [0.05, 8] as const

/** The factor on what is expected. */
export function durationFactor(
  model: DurationModel,
  { kind, worker, hour }: Pick<Duration, "kind" | "worker" | "hour">,
): number {
  return (
    model.overall *
    factorOf(model.kinds, kind) *
    factorOf(model.workers, worker) *
    factorOf(model.hours, hour)
  )
}

function factorOf(factors: Readonly<Record<string, number>>, key: string | number): number {
  return (Object.hasOwn(factors, key) ? factors[key] : undefined) ?? 1
}

export function learnDurations(observed: readonly Duration[], prior: DurationModel): DurationModel {
  const plausible = observed.filter(({ expected, actual }) => {
    const ratio = actual / expected
    return expected > 0 && ratio >= plausibleRatio[0] && ratio <= plausibleRatio[1]
  })
  if (plausible.length === 0) return prior
  const base = sums(plausible, (one) => one.expected)
  const overall = shrunk(base, prior.overall, strength.overall)
  const flat = { ...emptyModel(prior.spread), overall }
  const kinds = groupFactors(plausible, ({ kind }) => kind, flat, strength.kinds)
  const withKinds = { ...flat, kinds }
  const workers = groupFactors(plausible, ({ worker }) => worker, withKinds, strength.workers)
  const withWorkers = { ...withKinds, workers }
  const hours = groupFactors(plausible, ({ hour }) => String(hour), withWorkers, strength.hours)
  const model = { ...withWorkers, hours, count: plausible.length }
  return { ...model, spread: spreadOf(plausible, model, prior.spread) }
}

interface Sums {
  expected: number
  actual: number
  count: number
}

function sums(observed: readonly Duration[], expectedOf: (one: Duration) => number): Sums {
  return observed.reduce(
    (sum, one) => ({
      expected: sum.expected + expectedOf(one),
      actual: sum.actual + one.actual,
      count: sum.count + 1,
    }),
    { expected: 0, actual: 0, count: 0 },
  )
}

/** The ratio of the sums, with `weight` further observations that are as expected times `above`. */
function shrunk({ expected, actual, count }: Sums, above: number, weight: number): number {
  const mean = expected / count
  return (actual + weight * mean * above) / (expected + weight * mean)
}

function groupFactors(
  observed: readonly Duration[],
  keyOf: (one: Duration) => string,
  model: DurationModel,
  weight: number,
): Record<string, number> {
  const groups = Map.groupBy(observed, keyOf)
  return Object.fromEntries(
    [...groups].map(([key, group]) => [
      key,
      shrunk(
        sums(group, (one) => one.expected * durationFactor(model, one)),
        1,
        weight,
      ),
    ]),
  )
}

function spreadOf(observed: readonly Duration[], model: DurationModel, prior: number): number {
  const squares = observed.reduce((sum, one) => {
    const predicted = one.expected * durationFactor(model, one)
    return sum + (one.actual / predicted - 1) ** 2
  }, 0)
  const weight = strength.overall
  return Math.sqrt((squares + weight * prior ** 2) / (observed.length + weight))
}
