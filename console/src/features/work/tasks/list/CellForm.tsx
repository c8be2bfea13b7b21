import { useState } from "react"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { CellPopover } from "../../../../ui/tables/CellPopover.tsx"
import type { FlowComponent } from "../../flows/flows.queries.ts"
import { TaskFieldInput } from "../TaskFieldInput.tsx"
import { type ListedTask, saveTask } from "../tasks.queries.ts"

export interface CellField {
  /** As the API calls it. */
  field: string
  title: string
  /** Of the flows that have the component, by the flow's id. */
  components?: ReadonlyMap<string, FlowComponent> | undefined
}

interface CellFormProps {
  task: ListedTask
  field: CellField
  onClose(): void
}

/** Changes one field of one task beside its cell; an empty input clears the field. */
export default function CellForm({ task, field: { field, title, components }, onClose }: CellFormProps) {
  const [before] = useState<unknown>(() => (task as unknown as Record<string, unknown>)[field] ?? null)
  const [value, setValue] = useState(before)
  const next = value === undefined || value === "" ? null : value
  const save = useAction(() => saveTask(task._id, { [field]: next }, undefined), {
    refreshes: [["tasks"], ["task", task._id]],
    onDone: onClose,
  })
  return (
    <CellPopover
      title={title}
      save={save}
      isChanged={JSON.stringify(next) !== JSON.stringify(before)}
      onClose={onClose}
    >
      <TaskFieldInput
        field={field}
        label={title}
        component={components?.get(task.flowId)}
        value={value}
        onChange={setValue}
      />
    </CellPopover>
  )
}
