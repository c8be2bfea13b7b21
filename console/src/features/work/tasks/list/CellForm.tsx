import { Button, Group, Popover, Stack } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { labelMessages } from "../label-messages.ts"
import { TaskFieldInput } from "../TaskFieldInput.tsx"
import { type ListedTask, saveTask } from "../tasks.queries.ts"
import type { CellField } from "./EditableCell.tsx"

interface CellFormProps {
  task: ListedTask
  field: CellField
  onClose(): void
}

/** Changes one field of one task beside its cell; an empty input clears the field. */
export default function CellForm({ task, field: { field, title, components }, onClose }: CellFormProps) {
  const t = useMessages(labelMessages)
  const [value, setValue] = useState<unknown>((task as unknown as Record<string, unknown>)[field])
  const save = useAction(
    () => saveTask(task._id, { [field]: value === undefined || value === "" ? null : value }, undefined),
    { refreshes: [["tasks"], ["task", task._id]], onDone: onClose },
  )
  return (
    // The lists of its inputs are beside it: a choice there is no click outside.
    <Popover
      opened
      onChange={onClose}
      closeOnClickOutside={false}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      withinPortal
    >
      <Popover.Target>
        <span />
      </Popover.Target>
      <Popover.Dropdown aria-label={title} onClick={(event) => event.stopPropagation()}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <Stack gap="sm" miw={240}>
            <TaskFieldInput
              field={field}
              label={title}
              component={components?.get(task.flowId)}
              value={value}
              onChange={setValue}
            />
            <FormError error={save.error} />
            <Group justify="flex-end" gap="xs">
              <Button size="xs" variant="default" onClick={onClose}>
                {t("cancel")}
              </Button>
              <Button size="xs" type="submit" loading={save.isPending}>
                {t("save")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
