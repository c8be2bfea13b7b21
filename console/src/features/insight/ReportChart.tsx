import "@mantine/charts/styles.css"
import { BarChart } from "@mantine/charts"

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

const labelledBars = 16

/** Bars with their values; what they are compared with is hatched, so that no colour is needed. The table below has the same. */
export default function ReportChart({ bars, name, comparedName, target, format }: ReportChartProps) {
  return (
    <BarChart
      h={280}
      data={bars.map((bar) => ({ ...bar }))}
      dataKey="label"
      series={[
        { name: "value", label: name, color: "var(--chart-value)" },
        ...(comparedName ? [{ name: "compared", label: comparedName, color: "url(#insight-hatch)" }] : []),
      ]}
      valueFormatter={format}
      withBarValueLabel={bars.length <= labelledBars}
      valueLabelProps={{ fill: "var(--mantine-color-text)", fontSize: 11 }}
      withLegend={comparedName !== undefined}
      withTooltip
      maxBarWidth={48}
      tickLine="none"
      xAxisProps={{ interval: "preserveStartEnd" }}
      yAxisProps={{ width: 64, tickFormatter: (value: number) => format(value) }}
      referenceLines={
        target ? [{ y: target.value, label: target.label, color: "var(--mantine-color-text)" }] : []
      }
      barChartProps={{ accessibilityLayer: false, margin: { top: 16 } }}
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
