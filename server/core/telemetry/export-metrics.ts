import type { Registry } from "prom-client"
import { nanoseconds, type Otlp, toAttributes } from "./otlp.ts"

/** Counts go on from the start of the process (OTLP's AggregationTemporality). */
const cumulative = 2

interface Sample {
  value: number
  labels: Readonly<Record<string, string | number>>
  metricName?: string
}

/** Sends what `/metrics` shows, under the same names. The returned function sends it a last time and stops. */
export function exportMetrics(registry: Registry, otlp: Otlp, milliseconds: number): () => Promise<void> {
  const startTimeUnixNano = nanoseconds(Date.now() - process.uptime() * 1000)
  const send = async () => {
    const metrics = await registry.getMetricsAsJSON()
    const times = { startTimeUnixNano, timeUnixNano: nanoseconds(Date.now()) }
    await otlp.send("metrics", {
      metrics: metrics.map(({ name, help, type, values }) => ({
        name,
        description: help,
        ...toData(String(type), values as readonly Sample[], times),
      })),
    })
  }
  const timer = setInterval(() => void send(), milliseconds)
  timer.unref()
  return () => {
    clearInterval(timer)
    return send()
  }
}

function toData(type: string, samples: readonly Sample[], times: object) {
  if (type === "histogram")
    return { histogram: { aggregationTemporality: cumulative, dataPoints: toHistograms(samples, times) } }
  const dataPoints = samples.map(({ value, labels }) => ({
    ...times,
    attributes: toAttributes(labels),
    asDouble: value,
  }))
  return type === "counter"
    ? { sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } }
}

/** Prometheus counts what is at most each bound; OTLP what is between two of them. */
function toHistograms(samples: readonly Sample[], times: object) {
  const series = Map.groupBy(samples, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels))
  return [...series].map(([labels, parts]) => {
    const buckets = parts.filter(({ metricName }) => metricName?.endsWith("_bucket"))
    const partOf = (suffix: string) =>
      parts.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0
    return {
      ...times,
      attributes: toAttributes(JSON.parse(labels)),
      count: String(partOf("_count")),
      sum: partOf("_sum"),
      explicitBounds: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
      bucketCounts: buckets.map(({ value }, index) => String(value - (buckets[index - 1]?.value ?? 0))),
    }
  })
}
