import {
  Alert,
  Button,
  Checkbox,
  Drawer,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { localOf } from "../../i18n/day-bounds.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/HubChoice.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { ComponentField } from "../flows/ComponentField.tsx"
import { type FlowComponent, flowsQuery } from "../flows/flows.queries.ts"
import { hubsQuery } from "../hubs/hubs.queries.ts"
import { usePeopleNames } from "../tasks/people.ts"
import { scheduleMessages } from "./messages.ts"
import {
  previewQuery,
  type Recurrence,
  type Schedule,
  saveSchedule,
  schedulesQuery,
} from "./schedules.queries.ts"

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
const periods = ["daily", "weekly", "monthly"] as const
type Period = (typeof periods)[number]
const monthDays = Array.from({ length: 31 }, (_, index) => String(index + 1))
const timePattern = /^([01]?\d|2[0-3]):[0-5]\d$/

interface When {
  period: Period
  days: string[]
  dates: string[]
  times: string[]
  from: string
  until: string
}

/** A schedule, with what it means in words and its next runs beside the fields. */
export function ScheduleForm({ schedule, onClose }: { schedule: Schedule | undefined; onClose(): void }) {
  const t = useMessages(scheduleMessages)
  const { organization } = useSession()
  const client = useQueryClient()
  const people = usePeopleNames()
  const chosenHub = useChosenHub()
  const { data: flows = [] } = useQuery(flowsQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const timeZone = schedule?.timeZone ?? organization.timeZone
  const [name, setName] = useState(schedule?.name ?? "")
  const [flowChoice, setFlowChoice] = useState<string | null>(schedule?.flowId ?? null)
  const [hubChoice, setHubChoice] = useState<string | null>(schedule?.hubId ?? null)
  const [assignee, setAssignee] = useState<string[]>(schedule?.assignee ?? [])
  const [values, setValues] = useState<Record<string, unknown>>(schedule?.task ?? {})
  const [when, setWhen] = useState<When>(() => whenOf(schedule, timeZone))
  const flow = flows.find((candidate) => candidate._id === flowChoice) ?? flows[0]
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const recurrence = recurrenceOf(when, timeZone)
  const components = ((flow?.pages[0]?.components ?? []) as FlowComponent[]).filter((component) =>
    ["input", "select"].includes(component.component),
  )
  const save = useMutation({
    mutationFn: () => {
      const task = Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== "" && value !== null),
      )
      return saveSchedule(schedule?._id, {
        ...recurrence,
        name: name.trim(),
        hubId: hubId ?? "",
        flowId: flow?._id ?? "",
        assignee,
        task,
      })
    },
    onSuccess: async () => {
      notifyDone(t("saved"))
      await client.invalidateQueries({ queryKey: schedulesQuery.queryKey })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={500}
      title={schedule ? t("edit") : t("add")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("name")}
            required
            maxLength={255}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <WhenFields when={when} onChange={setWhen} />
          <Preview recurrence={recurrence} />
          <Group grow>
            <Select
              label={t("flow")}
              data={flows.map((entry) => ({ value: entry._id, label: entry.name }))}
              value={flow?._id ?? null}
              onChange={(value) => {
                setFlowChoice(value)
                setValues({})
              }}
            />
            <Select
              label={t("hub")}
              data={hubs.map((entry) => ({ value: entry._id, label: entry.name }))}
              value={hubId}
              onChange={setHubChoice}
            />
          </Group>
          <MultiSelect
            label={t("assignee")}
            searchable
            data={[...people].map(([value, label]) => ({ value, label }))}
            value={assignee}
            onChange={setAssignee}
          />
          <Text size="sm" fw={600} mt="xs">
            {t("task")}
          </Text>
          {components.map((component) => (
            <ComponentField
              key={`${flow?._id}-${component.id}`}
              component={component}
              value={values[component.id] ?? component.default}
              onChange={(value) => setValues((current) => ({ ...current, [component.id]: value }))}
            />
          ))}
          <FormError error={save.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!flow || !hubId}>
              {t("save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}

function WhenFields({ when, onChange }: { when: When; onChange(when: When): void }) {
  const t = useMessages(scheduleMessages)
  return (
    <>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t("repeats")}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={t("repeats")}
          data={periods.map((value) => ({ value, label: t(value) }))}
          value={when.period}
          onChange={(value) =>
            onChange({ ...when, period: periods.find((period) => period === value) ?? "daily" })
          }
        />
      </div>
      {when.period === "weekly" ? (
        <Checkbox.Group label={t("days")} value={when.days} onChange={(days) => onChange({ ...when, days })}>
          <Group mt={6} gap="sm">
            {weekdays.map((day) => (
              <Checkbox key={day} value={day} label={t(day)} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : null}
      {when.period === "monthly" ? (
        <MultiSelect
          label={t("monthDays")}
          data={monthDays}
          value={when.dates}
          onChange={(dates) => onChange({ ...when, dates })}
        />
      ) : null}
      <TagsInput
        label={t("times")}
        description={t("timesHint")}
        value={when.times}
        onChange={(times) =>
          onChange({
            ...when,
            times: times.filter((time) => timePattern.test(time)).map((time) => time.padStart(5, "0")),
          })
        }
      />
      <Group grow>
        <TextInput
          type="date"
          label={t("from")}
          value={when.from}
          onChange={(event) => onChange({ ...when, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t("until")}
          value={when.until}
          onChange={(event) => onChange({ ...when, until: event.currentTarget.value })}
        />
      </Group>
    </>
  )
}

function Preview({ recurrence }: { recurrence: Recurrence }) {
  const t = useMessages(scheduleMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const { data, error } = useQuery(previewQuery(recurrence))
  if (error) return <Alert color="yellow">{errorText(error, tError)}</Alert>
  if (!data) return null
  return (
    <Alert color="pine" title={data.summary}>
      {data.runs.length === 0 ? (
        t("never")
      ) : (
        <>
          <Text size="xs" fw={600}>
            {t("upcoming")}
          </Text>
          <ul className="runs">
            {data.runs.map((run) => (
              <li key={run}>{formats.dateTime(run)}</li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  )
}

const usualDays = 365

function whenOf(schedule: Schedule | undefined, timeZone: string): When {
  const today = localOf(new Date(), timeZone).slice(0, 10)
  const nextYear = localOf(new Date(Date.now() + usualDays * 86_400_000), timeZone).slice(0, 10)
  if (!schedule)
    return {
      period: "weekly",
      days: ["monday"],
      dates: ["1"],
      times: ["08:00"],
      from: today,
      until: nextYear,
    }
  const entries = schedule.schedules
  return {
    period: periods.find((period) => period === schedule.periode) ?? "daily",
    days: entries.flatMap(({ day }) => day ?? []),
    dates: entries.flatMap(({ date }) => date ?? []),
    times: [...new Set(entries.flatMap(({ time }) => time))],
    from: schedule.startTime.slice(0, 10),
    until: schedule.endTime.slice(0, 10),
  }
}

function recurrenceOf(when: When, timeZone: string): Recurrence {
  const time = when.times
  const entries = {
    daily: () => [{ time }],
    weekly: () => weekdays.filter((day) => when.days.includes(day)).map((day) => ({ day, time })),
    monthly: () => when.dates.map((date) => ({ date, time })),
  }
  return {
    periode: when.period,
    schedules: entries[when.period](),
    startTime: when.from,
    endTime: when.until,
    timeZone,
  }
}
