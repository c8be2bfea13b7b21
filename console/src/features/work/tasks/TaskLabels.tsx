import { Group, Select, TagsInput } from "@mantine/core"
import { isTaskPriority, taskPriorities } from "#shared/task-priorities.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { labelMessages } from "./label-messages.ts"

interface TaskLabelsProps {
  priority: unknown
  tags: unknown
  onPriority(priority: string | null): void
  onTags(tags: string[]): void
}

/** How urgent a task is, and the tags by which it is found. */
export function TaskLabels({ priority, tags, onPriority, onTags }: TaskLabelsProps) {
  const t = useMessages(labelMessages)
  return (
    <Group grow align="start">
      <PriorityInput value={isTaskPriority(priority) ? priority : null} onChange={onPriority} />
      <TagsInput
        label={t("tags")}
        splitChars={[","]}
        maxTags={20}
        value={Array.isArray(tags) ? tags.map(String) : []}
        onChange={onTags}
      />
    </Group>
  )
}

export function PriorityInput(props: { value: string | null; onChange(value: string | null): void }) {
  const t = useMessages(labelMessages)
  return (
    <Select
      label={t("priority")}
      clearable
      data={taskPriorities.map((value) => ({ value, label: t(value) }))}
      {...props}
    />
  )
}
