import { Button, Group, Select, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { isTaskPriority } from "#shared/task-priorities.ts"
import { valueText } from "#shared/values.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { componentKindOf } from "../flows/fields/component-kind.ts"
import { sendFiles } from "../flows/fields/send-files.ts"
import { componentsOf, flowsQuery, namedComponents } from "../flows/flows.queries.ts"
import { BulkRefusals } from "./BulkRefusals.tsx"
import { bulkEditMessages } from "./bulk-edit-messages.ts"
import { labelMessages } from "./label-messages.ts"
import { TaskFieldInput } from "./TaskFieldInput.tsx"
import { changeTasks } from "./task-actions.ts"

interface BulkEditDialogProps {
  taskIds: readonly string[]
  onClose(): void
  onDone(): void
}

const fields = ["priority", "tags", "startTime", "endTime"] as const

/** Signatures belong to one visit, and times of a stopwatch too. */
const kinds: readonly unknown[] = ["input", "select", "list", "bill", "photo", "capture", "voice"]

/** The components of all flows that can be filled in for many tasks, each id once, with the names of the flows that have it. */
function useComponents() {
  const { data: flows = [] } = useQuery(flowsQuery)
  return new Map(
    namedComponents(flows).flatMap(({ component, name }) => {
      if (!kinds.includes(componentKindOf(component))) return []
      const flowNames = flows.filter((flow) => componentsOf(flow).some(({ id }) => id === component.id))
      return [[component.id, { component, name, flowNames: flowNames.map((flow) => flow.name) }] as const]
    }),
  )
}

/** Changes one field of many tasks, after a sentence that says what will be changed. */
export default function BulkEditDialog({ taskIds, onClose, onDone }: BulkEditDialogProps) {
  const t = useMessages(labelMessages)
  const tEdit = useMessages(bulkEditMessages)
  const names = {
    priority: t("priority"),
    tags: t("tags"),
    startTime: tEdit("start"),
    endTime: tEdit("due"),
  }
  const formats = useFormats()
  const [field, setField] = useState<string>()
  const [value, setValue] = useState<unknown>(null)
  const components = useComponents()
  const chosen = components.get(field ?? "")
  const count = taskIds.length
  const isTime = field === "startTime" || field === "endTime"
  const isPhoto = chosen !== undefined && componentKindOf(chosen.component) === "photo"
  const needsValue = isTime || isPhoto
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : value === undefined || value === null || value === ""
  const send = async () =>
    changeTasks(taskIds, await sendFiles("new", { [field ?? ""]: isEmpty ? null : value }))
  const change = useAction(send, {
    refreshes: [["tasks"], ["task"]],
    done: ({ done: count }) => (count > 0 ? tEdit("changed", { count }) : undefined),
    onDone: ({ refused: left }) => left.length === 0 && onDone(),
  })
  const refused = change.data?.refused ?? []
  const own = fields.find((id) => id === field)
  const name = own ? names[own] : chosen?.component.title || field || ""
  const shown = () => {
    const text = valueText(value) ?? tEdit("entries", { count: Array.isArray(value) ? value.length : 1 })
    if (isTime || chosen?.component.type?.toLowerCase() === "datetime") return formats.dateTime(text)
    return isTaskPriority(value) ? t(value) : text
  }
  // A task always has its times, and photos are removed one by one; other fields are cleared by leaving them empty.
  const preview = () => {
    if (isEmpty) return needsValue ? tEdit("needsValue") : tEdit("previewClear", { field: name, count })
    return tEdit("preview", { field: name, value: shown(), count })
  }
  return (
    <OpenModal onClose={onClose} title={tEdit("changeTitle", { count })}>
      <Stack gap="sm">
        <Select
          label={tEdit("field")}
          allowDeselect={false}
          searchable
          data={[
            { group: tEdit("ofEveryTask"), items: fields.map((id) => ({ value: id, label: names[id] })) },
            {
              group: tEdit("ofFlows"),
              items: [...components].map(([id, { name }]) => ({ value: id, label: name })),
            },
          ]}
          placeholder={tEdit("chooseField")}
          value={field ?? null}
          onChange={(next) => {
            setField(next ?? undefined)
            setValue(null)
            change.reset()
          }}
        />
        {field === undefined ? null : (
          <>
            <TaskFieldInput
              key={field}
              field={field}
              label={name}
              component={chosen?.component}
              value={value}
              onChange={setValue}
            />
            {chosen ? (
              <Text size="sm" c="dimmed">
                {tEdit("onlyFlows", { flows: chosen.flowNames })}
              </Text>
            ) : null}
            <Text size="sm" role="status">
              {preview()}
            </Text>
          </>
        )}
        <FormError error={change.error} />
        <BulkRefusals refused={refused} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={refused.length > 0 ? onDone : onClose}>
            {refused.length > 0 ? t("close") : t("cancel")}
          </Button>
          {change.isSuccess ? null : (
            <Button
              loading={change.isPending}
              disabled={field === undefined || (needsValue && isEmpty)}
              onClick={() => change.mutate()}
            >
              {tEdit("changeSubmit", { count })}
            </Button>
          )}
        </Group>
      </Stack>
    </OpenModal>
  )
}
