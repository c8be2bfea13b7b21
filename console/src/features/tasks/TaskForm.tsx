import { Button, Drawer, Group, MultiSelect, Select, Stack, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ApiError, answerOf, api } from "../../api/client.ts"
import { instantOf } from "../../i18n/day-bounds.ts"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/HubChoice.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { useLeaveWarning } from "../../ui/leave-warning.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { ComponentField } from "../flows/ComponentField.tsx"
import { type FlowComponent, flowsQuery } from "../flows/flows.queries.ts"
import { hubsQuery } from "../hubs/hubs.queries.ts"

const messages = defineMessages({
  en: {
    title: "New task",
    flow: "Flow",
    hub: "Hub",
    assignee: "Assign to",
    start: "Start",
    due: "Due",
    startHint: "Empty: now",
    dueHint: "Empty: as the flow says",
    save: "Create task",
    cancel: "Cancel",
    saved: "The task is created",
    close: "Close",
  },
  id: {
    title: "Tugas baru",
    flow: "Alur",
    hub: "Hub",
    assignee: "Tugaskan ke",
    start: "Mulai",
    due: "Tenggat",
    startHint: "Kosong: sekarang",
    dueHint: "Kosong: menurut alur",
    save: "Buat tugas",
    cancel: "Batal",
    saved: "Tugas dibuat",
    close: "Tutup",
  },
})

/** What a planner fills in; the rest is for the person in the field. */
const fieldOnly = new Set(["photo", "signature", "timer", "voice", "capture"])

export interface TaskFormProps {
  people: ReadonlyMap<string, string>
  onClose(): void
}

/** A form made from the flow's first page. */
export default function TaskForm({ people, onClose }: TaskFormProps) {
  const t = useMessages(messages)
  const { organization, may } = useSession()
  const client = useQueryClient()
  const chosenHub = useChosenHub()
  const { data: flows = [] } = useQuery(flowsQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [flowChoice, setFlowChoice] = useState<string | null>(null)
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const [assignee, setAssignee] = useState<string[]>([])
  const [start, setStart] = useState("")
  const [due, setDue] = useState("")
  const [values, setValues] = useState<Record<string, unknown>>({})
  const flow = flows.find((candidate) => candidate._id === flowChoice) ?? flows[0]
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const components = ((flow?.pages[0]?.components ?? []) as FlowComponent[]).filter(
    (component) => component.visible !== false && !fieldOnly.has(component.component),
  )
  const save = useMutation({
    mutationFn: () => {
      if (!flow || !hubId) throw new Error("there is no flow or hub yet")
      const at = (local: string) => instantOf(local, organization.timeZone).toISOString()
      const filled = Object.entries(values).filter(([, value]) => value !== "" && value !== null)
      return answerOf(
        api.POST("/api/v3/task", {
          body: {
            ...Object.fromEntries(filled),
            flow: flow.name,
            hubId,
            createdFrom: "WEB",
            ...(assignee.length > 0 ? { assignee } : {}),
            ...(start ? { startTime: at(start) } : {}),
            ...(due ? { endTime: at(due) } : {}),
          },
        }),
      )
    },
    onSuccess: async () => {
      notifyDone(t("saved"))
      await client.invalidateQueries({ queryKey: ["tasks"] })
      onClose()
    },
  })
  const refusals = save.error instanceof ApiError ? save.error.fields : {}
  useLeaveWarning(Object.keys(values).length > 0 && !save.isSuccess)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={t("title")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group grow>
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
          {components.map((component) => (
            <ComponentField
              key={`${flow?._id}-${component.id}`}
              component={component}
              value={values[component.id] ?? component.default}
              error={refusals[component.id]?.[0]}
              onChange={(value) => setValues((current) => ({ ...current, [component.id]: value }))}
            />
          ))}
          {may("assign/task") && people.size > 0 ? (
            <MultiSelect
              label={t("assignee")}
              searchable
              data={[...people].map(([value, label]) => ({ value, label }))}
              value={assignee}
              onChange={setAssignee}
            />
          ) : null}
          <Group grow align="start">
            <TextInput
              type="datetime-local"
              label={t("start")}
              description={t("startHint")}
              value={start}
              onChange={(event) => setStart(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label={t("due")}
              description={t("dueHint")}
              value={due}
              onChange={(event) => setDue(event.currentTarget.value)}
            />
          </Group>
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
