import { Alert, Button, Group, Select, Stack } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { typedValues } from "#shared/values.ts"
import { ApiError } from "../../../api/client.ts"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormPanel } from "../../../ui/forms/FormPanel.tsx"
import { InstantInput } from "../../../ui/forms/InstantInput.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { dataTypesQuery } from "../data-types/data-types.queries.ts"
import { type Configuration, dataSourcesOf } from "../flows/builder/data-sources.ts"
import { FilledField } from "../flows/fields/FilledField.tsx"
import { sendFiles } from "../flows/fields/send-files.ts"
import { shownComponents } from "../flows/fields/shown-components.ts"
import { stopTimers } from "../flows/fields/stopwatch.ts"
import { taskValue } from "../flows/fields/task-value.ts"
import { componentsOf, type Flow, type FlowComponent, flowsQuery } from "../flows/flows.queries.ts"
import { AppointmentSlots, type OfferedSlot, type VisitToPlan } from "./AppointmentSlots.tsx"
import { viewMessages } from "./list/view-messages.ts"
import { useAssignable } from "./people.ts"
import { TaskLabels } from "./TaskLabels.tsx"
import { createTask, saveTask, type Task, taskToEditQuery } from "./tasks.queries.ts"

const messages = defineMessages("work.taskForm", {
  title: "New task",
  due: "Due",
  startHint: "Empty: now",
  dueHint: "Empty: according to the flow",
  save: "Create task",
  saved: "The task is created",
})

/** What only the person in the field fills in, when a task that exists is changed. */
const fieldOnly = new Set(["photo", "signature", "timer", "voice", "capture", "view"])
const staleStatus = 412

export interface TaskFormProps {
  /** The task that is changed; a new one without it. */
  task?: Task
  /** A new task starts with the values that this one was created with: its flow, hub and first page. */
  like?: Task
  onClose(): void
}

/** A form generated from the flow: its first page for a new task, every page for one that exists. */
export default function TaskForm({ task, like, onClose }: TaskFormProps) {
  const t = useMessages(messages)
  const tView = useMessages(viewMessages)
  const { organization, may } = useSession()
  const { timeZone } = organization
  const client = useQueryClient()
  const chosenHub = useChosenHub()
  const { data: flows = [] } = useQuery(flowsQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const editing = useQuery({ ...taskToEditQuery(task?._id ?? ""), enabled: task !== undefined })
  const known = editing.data?.task ?? task
  const [flowChoice, setFlowChoice] = useState<string | null>(like?.flowId ?? null)
  const [hubChoice, setHubChoice] = useState<string | null>(like?.hubId ?? null)
  const [assignee, setAssignee] = useState<string[]>()
  const [labels, setLabels] = useState<{ priority?: string | null; tags?: string[] }>({})
  const [times, setTimes] = useState<{ start?: string; due?: string }>({})
  const [slot, setSlot] = useState<OfferedSlot>()
  const [entered, setValues] = useState<Record<string, unknown>>({})
  const flow = flows.find((candidate) => candidate._id === (task?.flowId ?? flowChoice)) ?? flows[0]
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const assignees = assignee ?? known?.assignee ?? []
  const taskHub = known?.hubId ?? hubId
  const assignable = useAssignable(taskHub === null ? [] : [taskHub], assignees)
  const all = flow ? componentsOf(flow) : []
  const sources = dataSourcesOf((flow?.configurations ?? []) as Configuration[])
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: sources.length > 0 })
  const copied = like && flow?._id === like.flowId ? firstPageOf(flow, like) : {}
  const values = task ? entered : { ...copied, ...entered }
  const valueFor = (id: string) =>
    id in values ? values[id] : known ? known[id] : all.find((component) => component.id === id)?.default
  const pages = (task ? (flow?.pages ?? []) : (flow?.pages ?? []).slice(0, 1)).map((page, index) => ({
    id: page.id,
    title: page.title ?? tView("page", { number: index + 1 }),
    components: shownComponents(all, page.components as FlowComponent[], valueFor).filter(
      (component) => !task || !fieldOnly.has(component.component.toLowerCase()),
    ),
  }))
  const start = times.start ?? known?.startTime ?? ""
  const due = times.due ?? known?.endTime ?? ""
  const changedTimes = {
    ...(times.start ? { startTime: times.start } : {}),
    ...(times.due ? { endTime: times.due } : {}),
  }
  // Older flows may have a component with this id, which keeps the key.
  const keyOf = (name: string) => (all.some(({ id }) => id === name) ? `_${name}` : name)
  const changedLabels = Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [keyOf(name), value]),
  )
  const save = useAction(
    async () => {
      if (task) {
        const cleared = Object.entries(values).map(([id, value]) => [id, value === "" ? null : value])
        const written = typedValues(all, Object.fromEntries(cleared))
        await saveTask(task._id, { ...written, ...changedLabels, ...changedTimes }, editing.data?.etag)
        if (assignee) {
          await server.put("/api/v3/task/{taskId}/assign", { taskId: task._id, body: { assignee } })
        }
        return
      }
      if (!flow || !hubId) throw new Error("there is no flow or hub yet")
      const filled = Object.entries(values).filter(([, value]) => value !== "" && value !== null)
      const stopped = stopTimers(typedValues(all, Object.fromEntries(filled)), Date.now())
      const body = {
        ...(await sendFiles("new", stopped)),
        flow: flow.name,
        hubId,
        createdFrom: "WEB",
        ...(assignee?.length ? { assignee } : {}),
        ...changedLabels,
        ...changedTimes,
      }
      if (slot) await server.post("/api/v3/slot/{slotId}/book", { slotId: slot._id, body: { task: body } })
      else await createTask(body)
    },
    { refreshes: [["tasks"], ["task"]], done: () => (task ? tView("saved") : t("saved")), onDone: onClose },
  )
  const refusals = save.error instanceof ApiError ? save.error.fields : {}
  const isStale = save.error instanceof ApiError && save.error.status === staleStatus
  const isChanged =
    [entered, times, labels].some((part) => Object.keys(part).length > 0) || assignee !== undefined
  const close = useLeaveWarning(isChanged && !save.isAccepted, onClose)
  const readAgain = async () => {
    setValues({})
    setTimes({})
    setLabels({})
    setAssignee(undefined)
    save.reset()
    await client.invalidateQueries({ queryKey: ["task"] })
  }
  return (
    <FormPanel
      onClose={close}
      size={500}
      title={task ? tView("editTitle") : t("title")}
      request={{ error: isStale ? null : save.error, isPending: save.isPending }}
      isDisabled={task ? !isChanged || !editing.data : !flow || !hubId}
      submit={task ? tView("save") : t("save")}
      onSubmit={() => save.mutate()}
    >
      {task ? null : (
        <Group grow align="start">
          <Select
            label={t("flow")}
            allowDeselect={false}
            data={flows.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={flow?._id ?? null}
            onChange={(value) => {
              setFlowChoice(value)
              setValues({})
            }}
          />
          <Select
            label={t("hub")}
            allowDeselect={false}
            data={hubs.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={hubId}
            onChange={setHubChoice}
          />
        </Group>
      )}
      {pages.map((page) => (
        <Stack key={page.id} gap="sm">
          {pages.length > 1 && page.components.length > 0 ? (
            <h3 className="panel-heading" style={{ marginBottom: 0 }}>
              {page.title}
            </h3>
          ) : null}
          {page.components.map((component) => (
            <FilledField
              key={`${flow?._id}-${component.id}`}
              sources={sources}
              types={types}
              hubId={taskHub}
              onFill={(filled) => setValues((current) => ({ ...current, ...filled }))}
              component={task ? { ...component, required: false } : component}
              value={valueFor(component.id)}
              valueFor={valueFor}
              error={refusals[component.id]?.[0]}
              onChange={(value) => setValues((current) => ({ ...current, [component.id]: value }))}
            />
          ))}
        </Stack>
      ))}
      {may("assign/task") && assignable.length > 0 ? (
        <ManySelect
          label={t("assignee")}
          searchable
          data={assignable}
          value={assignees}
          onChange={setAssignee}
        />
      ) : null}
      {may(task ? "edit/task" : "add/task") ? (
        <TaskLabels
          priority={labels.priority ?? (labels.priority === null ? null : known?.[keyOf("priority")])}
          tags={labels.tags ?? known?.[keyOf("tags")]}
          onPriority={(priority) => setLabels((current) => ({ ...current, priority }))}
          onTags={(tags) => setLabels((current) => ({ ...current, tags }))}
        />
      ) : null}
      <Group grow align="start">
        <InstantInput
          label={t("start")}
          {...(task ? {} : { description: t("startHint") })}
          timeZone={timeZone}
          value={start}
          error={refusals.startTime?.[0]}
          onChange={(value) => setTimes({ ...times, start: value ?? "" })}
        />
        <InstantInput
          label={t("due")}
          {...(task ? {} : { description: t("dueHint") })}
          timeZone={timeZone}
          value={due}
          error={refusals.endTime?.[0]}
          onChange={(value) => setTimes({ ...times, due: value ?? "" })}
        />
      </Group>
      {task || !hubId || !may("add/task") ? null : (
        <AppointmentSlots visit={visitOf(hubId, all, valueFor)} chosen={slot} onChoose={setSlot} />
      )}
      {isStale ? (
        <Alert color="yellow" title={tView("changedElsewhere")} role="alert">
          <Button size="compact-sm" variant="default" onClick={() => void readAgain()}>
            {tView("readAgain")}
          </Button>
        </Alert>
      ) : null}
    </FormPanel>
  )
}

/** What a new task is as a visit, as far as its values say. */
function visitOf(
  hubId: string,
  components: readonly FlowComponent[],
  valueFor: (id: string) => unknown,
): VisitToPlan {
  const valueAs = (routed: string) => {
    const component = components.find(({ routeAs }) => routeAs === routed)
    return component ? valueFor(component.id) : undefined
  }
  const [place, minutes, tags] = [valueAs("Coordinate"), Number(valueAs("VisitDuration")), valueAs("Tag")]
  return {
    hubId,
    coordinate: typeof place === "string" ? place.trim() : "",
    visitTime: Number.isInteger(minutes) && minutes > 0 ? minutes : undefined,
    tags: Array.isArray(tags) ? tags.map(String) : [],
  }
}

/** The values entered when the task was created, without the proofs of its completion. */
function firstPageOf(flow: Flow, like: Task): Record<string, unknown> {
  const components = (flow.pages[0]?.components ?? []) as FlowComponent[]
  const copied = components
    .filter((component) => !fieldOnly.has(component.component.toLowerCase()))
    .map((component) => [component.id, taskValue(like, component)] as const)
  return Object.fromEntries(copied.filter(([, value]) => value !== null && value !== undefined))
}
