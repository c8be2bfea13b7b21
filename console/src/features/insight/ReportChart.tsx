import "@mantine/charts/styles.css"
import { BarChart } from "@mantine/charts"
import { useElementSize } from "@mantine/hooks"

export interface Bar {
  label: string
  value: number | null
  compared: number | null
}

interface ReportChartProps {
  bars: readonly Bar[]
  name: string
  /** The name of the hatched bars; undefined without a comparison. */
  comparedName: string | undefined
  target: { value: number; label: string } | undefined
  format(value: number): string
}

const axisPixels = 64
/** Of the numbers over bars, at their size; digits are the widest. */
const characterPixels = 7.5

/** Bars with their values; what they are compared with is hatched, so that no colour is needed. The table below has the same. */
export default function ReportChart({ bars, name, comparedName, target, format }: ReportChartProps) {
  const { ref, width } = useElementSize()
  const room = (width - axisPixels) / Math.max(bars.length, 1) / (comparedName ? 2 : 1)
  const isLabelled = bars.every(
    ({ value, compared }) =>
      room >= characterPixels * Math.max(...[value, compared].map((one) => format(one ?? 0).length)),
  )
  const isWhole = bars.every(({ value, compared }) =>
    [value, compared].every((one) => Number.isInteger(one ?? 0)),
  )
  return (
    <BarChart
      ref={ref}
      h={280}
      data={bars.map((bar) => ({ ...bar }))}
      dataKey="label"
      series={[
        { name: "value", label: name, color: "var(--chart-value)" },
        // Isolated: the legend is not in the reading direction, and Arabic dates would be mixed up in it.
        ...(comparedName
          ? [{ name: "compared", label: `\u2068${comparedName}\u2069`, color: "url(#insight-hatch)" }]
          : []),
      ]}
      valueFormatter={format}
      withBarValueLabel={isLabelled}
      valueLabelProps={{ fill: "var(--mantine-color-text)", fontSize: 11 }}
      withLegend={comparedName !== undefined}
      withTooltip
      maxBarWidth={48}
      tickLine="none"
      xAxisProps={{ interval: "preserveStartEnd" }}
      // There is no half task.
      yAxisProps={{
        width: axisPixels,
        allowDecimals: !isWhole,
        tickFormatter: (value: number) => format(value),
      }}
      referenceLines={
        target
          ? [
              {
                y: target.value,
                label: target.label,
                labelPosition: "right",
                color: "var(--mantine-color-text)",
              },
            ]
          : []
      }
      barChartProps={{
        accessibilityLayer: false,
        // The name of the target is beside its line: over the bars it would cover their numbers.
        margin: { top: 16, right: target ? 12 + characterPixels * target.label.length : 5 },
      }}
      barProps={(series) => ({
        isAnimationActive: false,
        ...(series.name === "compared" ? { stroke: "var(--chart-compared)" } : {}),
      })}
      aria-hidden
    >
      <defs>
        <pattern
          id="insight-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line x1="0" y1="0" x2="0" y2="6" stroke="var(--chart-compared)" strokeWidth="3" />
        </pattern>
      </defs>
    </BarChart>
  )
}
