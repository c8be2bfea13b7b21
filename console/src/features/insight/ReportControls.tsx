import { Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { dimensionsOfMetric, type ReportDimension, reportDimensions } from "#shared/report-metrics.ts"
import { type Period, periods } from "#shared/report-periods.ts"
import { type ReportName, reportNames, reports } from "#shared/report-presets.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { DateTimeInput } from "../../ui/forms/DateTimeInput.tsx"
import { usersQuery } from "../people/users/users.queries.ts"
import { flowsQuery } from "../work/flows/flows.queries.ts"
import { insightMessages } from "./messages.ts"
import { daysOf, periodOf, type ReportSearch } from "./report-search.ts"

type Change = (options: { [Key in keyof ReportSearch]?: ReportSearch[Key] | undefined }) => void

interface ReportControlsProps {
  search: ReportSearch
  today: string
  onChange: Change
}

/** What a report is about: which, when, by what, compared with what, and of whom. */
export function ReportControls({ search, today, onChange }: ReportControlsProps) {
  const t = useMessages(insightMessages)
  const { report = "onTime", compare, from, until, period = periodOf(search.report) } = search
  const isCustom = from !== undefined && until !== undefined
  const days = daysOf(search, today)
  const first = reports[report].metrics[0]
  const groups = reportDimensions.filter((dimension) => dimensionsOfMetric(first).includes(dimension))
  return (
    <>
      <Select
        label={t("report")}
        allowDeselect={false}
        data={reportNames.map((value) => ({ value, label: t(`report_${value}`) }))}
        value={report}
        onChange={(value) => {
          const period = [value, report].includes("forecast")
            ? { period: undefined, from: undefined, until: undefined }
            : {}
          onChange({ report: value as ReportName, groupBy: undefined, metric: undefined, ...period })
        }}
      />
      <Select
        label={t("period")}
        allowDeselect={false}
        data={[
          ...periods.map((value) => ({ value: value as string, label: t(`period_${value}`) })),
          { value: "custom", label: t("period_custom") },
        ]}
        value={isCustom ? "custom" : period}
        onChange={(value) =>
          onChange(value === "custom" ? days : { period: value as Period, from: undefined, until: undefined })
        }
      />
      {isCustom
        ? (["from", "until"] as const).map((end) => (
            <DateTimeInput
              key={end}
              type="date"
              label={t(end)}
              value={days[end]}
              onChange={({ currentTarget }) =>
                currentTarget.value ? onChange({ ...days, [end]: currentTarget.value }) : undefined
              }
            />
          ))
        : null}
      <Select
        label={t("groupBy")}
        allowDeselect={false}
        data={groups.map((value) => ({ value, label: t(`by_${value}`) }))}
        value={search.groupBy ?? reports[report].groupBy}
        onChange={(value) => onChange({ groupBy: (value ?? undefined) as ReportDimension | undefined })}
      />
      <Select
        label={t("compare")}
        data={[
          { value: "none", label: t("compare_none") },
          { value: "previous", label: t("compare_previous") },
          { value: "previousYear", label: t("compare_previousYear") },
        ]}
        allowDeselect={false}
        value={compare ?? "none"}
        onChange={(value) =>
          onChange({ compare: value === "previous" || value === "previousYear" ? value : undefined })
        }
      />
      <Filters search={search} onChange={onChange} />
    </>
  )
}

function Filters({ search, onChange }: Pick<ReportControlsProps, "search" | "onChange">) {
  const t = useMessages(insightMessages)
  const { may, mayAny } = useSession()
  const { data: flows = [] } = useQuery({ ...flowsQuery, enabled: mayAny("view/flow", "view/task") })
  const { data: people = [] } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const metrics = reports[search.report ?? "onTime"].metrics
  const hasFlow = metrics.some((metric) => dimensionsOfMetric(metric).includes("flow"))
  return (
    <>
      {hasFlow && flows.length > 0 ? (
        <Select
          label={t("by_flow")}
          placeholder={t("all")}
          clearable
          searchable
          data={flows.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={search.flowId ?? null}
          onChange={(value) => onChange({ flowId: value ?? undefined })}
        />
      ) : null}
      {people.length > 0 ? (
        <Select
          label={t("by_person")}
          placeholder={t("all")}
          clearable
          searchable
          data={people.map(({ email, name }) => ({ value: email, label: name }))}
          value={search.person ?? null}
          onChange={(value) => onChange({ person: value ?? undefined })}
        />
      ) : null}
    </>
  )
}
