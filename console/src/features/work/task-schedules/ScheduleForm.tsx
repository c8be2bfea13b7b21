import { Alert, Group, Select, Stack, Text, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { typedValues } from "#shared/values.ts"
import { ApiError } from "../../../api/client.ts"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormPanel } from "../../../ui/forms/FormPanel.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { ComponentField } from "../flows/fields/ComponentField.tsx"
import { shownComponents } from "../flows/fields/shown-components.ts"
import { componentsOf, type FlowComponent, flowsQuery } from "../flows/flows.queries.ts"
import { usePeopleNames } from "../tasks/people.ts"
import { scheduleMessages } from "./messages.ts"
import { RunCalendar } from "./RunCalendar.tsx"
import { recurrenceOf, storedRecurrence, type When, whenOf } from "./schedule-when.ts"
import {
  type PreviewContext,
  previewQuery,
  type Recurrence,
  type Schedule,
  saveSchedule,
  schedulesQuery,
} from "./schedules.queries.ts"
import { WhenFields } from "./WhenFields.tsx"

/** The components that a schedule can fill in: no photos or signatures. */
const plannedKinds = new Set(["input", "select", "list", "bill"])

/** A schedule, with a description and its next runs next to the fields. */
export function ScheduleForm({ schedule, onClose }: { schedule: Schedule | undefined; onClose(): void }) {
  const t = useMessages(scheduleMessages)
  const { organization } = useSession()
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
  const [isTouched, setTouched] = useState(false)
  const [isRescheduled, setRescheduled] = useState(false)
  const flow = flows.find((candidate) => candidate._id === flowChoice) ?? flows[0]
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const recurrence = schedule && !isRescheduled ? storedRecurrence(schedule) : recurrenceOf(when, timeZone)
  const all = flow ? componentsOf(flow) : []
  const valueFor = (id: string) => values[id] ?? all.find((component) => component.id === id)?.default
  const components = shownComponents(
    all,
    (flow?.pages[0]?.components ?? []) as FlowComponent[],
    valueFor,
  ).filter((component) => plannedKinds.has(component.component.toLowerCase()))
  const save = useAction(
    () => {
      const task = typedValues(
        all,
        Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null)),
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
    { refreshes: [schedulesQuery.queryKey], done: () => t("saved"), onDone: onClose },
  )
  const refusals = save.error instanceof ApiError ? save.error.fields : {}
  const close = useLeaveWarning(isTouched && !save.isAccepted, onClose)
  return (
    <FormPanel
      onClose={close}
      size={500}
      title={schedule ? t("edit") : t("add")}
      request={save}
      submit={t("save")}
      isDisabled={!flow || !hubId}
      history={schedule ? { objectType: "schedule", objectId: schedule._id } : undefined}
      onSubmit={() => save.mutate()}
      onChange={() => setTouched(true)}
    >
      <TextInput label={t("name")} required maxLength={255} data-autofocus {...bindText(name, setName)} />
      <WhenFields
        when={when}
        onChange={(next) => {
          setTouched(true)
          setRescheduled(true)
          setWhen(next)
        }}
      />
      <Preview
        recurrence={recurrence}
        context={{ hubId, flowId: flow?._id, assignee, scheduleId: schedule?._id }}
      />
      <Group grow align="start">
        <Select
          label={t("flow")}
          data={flows.map((entry) => ({ value: entry._id, label: entry.name }))}
          value={flow?._id ?? null}
          allowDeselect={false}
          onChange={(value) => {
            setTouched(true)
            setFlowChoice(value)
            setValues({})
          }}
        />
        <Select
          label={t("hub")}
          data={hubs.map((entry) => ({ value: entry._id, label: entry.name }))}
          value={hubId}
          allowDeselect={false}
          onChange={(value) => {
            setTouched(true)
            setHubChoice(value)
          }}
        />
      </Group>
      <ManySelect
        label={t("assignee")}
        searchable
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={assignee}
        onChange={(emails) => {
          setTouched(true)
          setAssignee(emails)
        }}
      />
      <Text size="sm" fw={600} mt="xs">
        {t("task")}
      </Text>
      {components.map((component) => (
        <ComponentField
          key={`${flow?._id}-${component.id}`}
          component={component}
          value={valueFor(component.id)}
          valueFor={valueFor}
          error={refusals[`task.${component.id}`]?.[0]}
          onChange={(value) => {
            setTouched(true)
            setValues((current) => ({ ...current, [component.id]: value }))
          }}
        />
      ))}
    </FormPanel>
  )
}

/** What the schedule means: in words, as a calendar, and where it meets other schedules. */
function Preview({ recurrence, context }: { recurrence: Recurrence; context: PreviewContext }) {
  const t = useMessages(scheduleMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const { data, error } = useQuery(previewQuery(recurrence, context))
  if (error) return <Alert color="yellow">{errorText(error, tError)}</Alert>
  if (!data) return null
  const timeZone = recurrence.timeZone ?? "UTC"
  const clashDays = new Set(
    data.clashes.flatMap(({ at }) => {
      const instant = parseTime(at)
      return instant ? [localOf(instant, timeZone).slice(0, 10)] : []
    }),
  )
  const [firstClash] = data.clashes
  return (
    <Alert color="pine" title={data.summary}>
      {data.runs.length === 0 ? (
        t("never")
      ) : (
        <Stack gap="xs">
          <Text size="sm">{t("nextRun", { time: formats.dateTime(data.runs[0]) })}</Text>
          <RunCalendar runs={data.runs} timeZone={timeZone} clashing={clashDays} />
          {firstClash ? (
            <Text size="sm">
              {t("clashes", {
                count: data.clashes.length,
                time: formats.dateTime(firstClash.at),
                names: firstClash.schedules.map(({ name }) => name).join(", ") || t("clockChange"),
              })}
            </Text>
          ) : null}
        </Stack>
      )}
    </Alert>
  )
}
