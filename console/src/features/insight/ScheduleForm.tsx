import { NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { periods } from "#shared/report-periods.ts"
import { useLanguage, useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { DateTimeInput } from "../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { ManySelect } from "../../ui/forms/ManySelect.tsx"
import { usersQuery } from "../people/users/users.queries.ts"
import { insightMessages } from "./messages.ts"
import type { ReportSearch } from "./report-search.ts"
import type { optionsOf } from "./reports.queries.ts"
import { type Schedule, type ScheduleInput, saveSchedule } from "./schedules.queries.ts"

const fileTypes = ["pdf", "xlsx", "csv"] as const
const rhythms = ["day", "week", "month"] as const

interface ScheduleFormProps {
  schedule: Schedule | undefined
  search: ReportSearch
  query: ReturnType<typeof optionsOf>["query"]
  onClose(): void
}

/** When the report of the page is mailed, in which files and to whom. */
export function ScheduleForm({ schedule, search, query, onClose }: ScheduleFormProps) {
  const t = useMessages(insightMessages)
  const { user, may } = useSession()
  const { data: people = [] } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const [draft, setDraft] = useState<ScheduleInput>(() => schedule ?? newSchedule())
  const change = (part: Partial<ScheduleInput>) => setDraft((current) => ({ ...current, ...part }))
  const save = useAction(() => saveSchedule(schedule?._id, draft), {
    refreshes: [["report-schedules"]],
    done: () => t("scheduleSaved", { name: draft.name }),
    onDone: onClose,
  })

  function newSchedule(): ScheduleInput {
    const { from: _from, until: _until, ...report } = query
    const { from, until, period = "lastWeek", ...rest } = search
    const page = new URLSearchParams({ ...rest, ...(from || until ? {} : { period }) }).toString()
    return {
      ...report,
      ...{ name: t(`report_${search.report ?? "onTime"}`), period, every: "week", weekday: 1, day: 1 },
      ...{ time: "07:00", files: ["pdf", "xlsx"], page: `/reports?${page}` },
      recipients: [user._id] as ScheduleInput["recipients"],
    }
  }
  const members = people.length > 0 ? people : [user]
  return (
    <FormDialog
      title={schedule?.name ?? t("addSchedule")}
      history={schedule && { objectType: "report-schedule", objectId: schedule._id }}
      size="lg"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t("scheduleName")}
        required
        withAsterisk={false}
        maxLength={120}
        {...bindText(draft.name, (name) => change({ name }))}
      />
      <Select
        label={t("period")}
        description={t("schedulePeriodHint")}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: t(`period_${value}`) }))}
        value={draft.period}
        onChange={(period) => period && change({ period })}
      />
      <Rhythm draft={draft} onChange={change} />
      <ManySelect
        label={t("files")}
        data={fileTypes.map((value) => ({ value, label: value.toUpperCase() }))}
        value={draft.files}
        onChange={(files) => change({ files: files as ScheduleInput["files"] })}
      />
      <ManySelect
        label={t("recipients")}
        description={t("recipientsHint")}
        searchable
        data={members.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={draft.recipients}
        onChange={(ids) => change({ recipients: ids as ScheduleInput["recipients"] })}
      />
    </FormDialog>
  )
}

interface RhythmProps {
  draft: ScheduleInput
  onChange(part: Partial<ScheduleInput>): void
}

function Rhythm({ draft, onChange }: RhythmProps) {
  const t = useMessages(insightMessages)
  const { locale } = useLanguage()
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }} verticalSpacing="sm">
      <Select
        label={t("every")}
        allowDeselect={false}
        data={rhythms.map((value) => ({ value, label: t(`every_${value}`) }))}
        value={draft.every}
        onChange={(every) => every && onChange({ every })}
      />
      {draft.every === "week" ? (
        <Select
          label={t("by_weekday")}
          allowDeselect={false}
          // The first of January 2024 was a Monday.
          data={[1, 2, 3, 4, 5, 6, 7].map((day) => ({
            value: String(day),
            label: weekday.format(Date.UTC(2024, 0, day)),
          }))}
          value={String(draft.weekday ?? 1)}
          onChange={(day) => onChange({ weekday: Number(day) })}
        />
      ) : null}
      {draft.every === "month" ? (
        <NumberInput
          label={t("dayOfMonth")}
          min={1}
          max={31}
          value={draft.day ?? 1}
          onChange={(day) => onChange({ day: Number(day) || 1 })}
        />
      ) : null}
      <DateTimeInput
        type="time"
        label={t("time")}
        required
        withAsterisk={false}
        {...bindText(draft.time, (time) => onChange({ time }))}
      />
    </SimpleGrid>
  )
}
