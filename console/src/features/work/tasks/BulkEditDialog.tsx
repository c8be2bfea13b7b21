import { Button, Group, Modal, Select, Stack, TagsInput, Text } from "@mantine/core"
import { useState } from "react"
import { isTaskPriority } from "#shared/task-priorities.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { InstantInput } from "../../../ui/forms/InstantInput.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { BulkRefusals } from "./BulkRefusals.tsx"
import { labelMessages } from "./label-messages.ts"
import { PriorityInput } from "./TaskLabels.tsx"
import { changeTasks } from "./task-actions.ts"

interface BulkEditDialogProps {
  taskIds: readonly string[]
  onClose(): void
  onDone(): void
}

const fields = ["priority", "tags", "startTime", "endTime"] as const
type Field = (typeof fields)[number]
const titles = { priority: "priority", tags: "tags", startTime: "start", endTime: "due" } as const

/** Changes one field of many tasks, after a sentence that says what will be changed. */
export default function BulkEditDialog({ taskIds, onClose, onDone }: BulkEditDialogProps) {
  const t = useMessages(labelMessages)
  const formats = useFormats()
  const { timeZone } = useSession().organization
  const [field, setField] = useState<Field>("priority")
  const [value, setValue] = useState<string | string[] | null>(null)
  const count = taskIds.length
  const change = useAction(() => changeTasks(taskIds, { [field]: value }), {
    refreshes: [["tasks"], ["task"]],
    onDone: ({ done, refused }) => {
      if (done > 0) notifyDone(t("changed", { count: done }))
      if (refused.length === 0) onDone()
    },
  })
  const refused = change.data?.refused ?? []
  const isTime = field === "startTime" || field === "endTime"
  const isEmpty = value === null || value.length === 0
  const name = t(titles[field])
  const shown = () => {
    if (Array.isArray(value)) return value.join(", ")
    if (isTime) return formats.dateTime(value)
    return isTaskPriority(value) ? t(value) : ""
  }
  const preview = () => {
    if (isEmpty) return isTime ? t("needsValue") : t("previewClear", { field: name, count })
    return t("preview", { field: name, value: shown(), count })
  }
  return (
    <Modal opened onClose={onClose} title={t("changeTitle", { count })}>
      <Stack gap="sm">
        <Select
          label={t("field")}
          allowDeselect={false}
          data={fields.map((id) => ({ value: id, label: t(titles[id]) }))}
          value={field}
          onChange={(next) => {
            setField(fields.find((id) => id === next) ?? "priority")
            setValue(null)
            change.reset()
          }}
        />
        {field === "priority" ? (
          <PriorityInput value={typeof value === "string" ? value : null} onChange={setValue} />
        ) : null}
        {field === "tags" ? (
          <TagsInput
            label={name}
            description={t("tagsHint")}
            splitChars={[","]}
            maxTags={20}
            value={Array.isArray(value) ? value : []}
            onChange={setValue}
          />
        ) : null}
        {isTime ? (
          <InstantInput
            label={name}
            timeZone={timeZone}
            value={typeof value === "string" ? value : ""}
            onChange={setValue}
          />
        ) : null}
        <Text size="sm" role="status">
          {preview()}
        </Text>
        <FormError error={change.error} />
        <BulkRefusals refused={refused} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={refused.length > 0 ? onDone : onClose}>
            {refused.length > 0 ? t("close") : t("cancel")}
          </Button>
          {change.isSuccess ? null : (
            <Button loading={change.isPending} disabled={isTime && isEmpty} onClick={() => change.mutate()}>
              {t("changeSubmit", { count })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
