import { Select, TagsInput } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { InstantInput } from "../../../ui/forms/InstantInput.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { ComponentField } from "../flows/fields/ComponentField.tsx"
import type { FlowComponent } from "../flows/flows.queries.ts"
import { labelMessages } from "./label-messages.ts"
import { useHubNames, usePeopleNames } from "./people.ts"
import { PriorityInput } from "./TaskLabels.tsx"

interface TaskFieldInputProps {
  /** As the API calls it: a field of every task, or a component. */
  field: string
  label: string
  /** Of the flow, for its values. */
  component: FlowComponent | undefined
  value: unknown
  onChange(value: unknown): void
}

/** The input for one field of a task. */
export function TaskFieldInput({ field, label, component, value, onChange }: TaskFieldInputProps) {
  const t = useMessages(labelMessages)
  const { timeZone } = useSession().organization
  const [people, hubs] = [usePeopleNames(), useHubNames()]
  const text = typeof value === "string" ? value : null
  const texts = Array.isArray(value) ? value.map(String) : []
  const choices = (names: ReadonlyMap<string, string>) =>
    [...names].map(([id, name]) => ({ value: id, label: name }))
  switch (field) {
    case "priority":
      return <PriorityInput value={text} onChange={onChange} />
    case "tags":
      return (
        <TagsInput
          label={label}
          description={t("tagsHint")}
          splitChars={[","]}
          maxTags={20}
          value={texts}
          onChange={onChange}
        />
      )
    case "assignee":
      return (
        <ManySelect
          label={label}
          data={choices(people)}
          value={texts}
          onChange={onChange}
          searchable
          // Its list stays open, and would cover the buttons below.
          comboboxProps={{ position: "top" }}
        />
      )
    case "hubId":
      return (
        <Select
          label={label}
          data={choices(hubs)}
          value={text}
          onChange={onChange}
          searchable
          allowDeselect={false}
        />
      )
    case "startTime":
    case "endTime":
      return (
        <InstantInput
          label={label}
          required
          withAsterisk={false}
          timeZone={timeZone}
          value={text ?? ""}
          onChange={onChange}
        />
      )
  }
  return component ? (
    <ComponentField
      component={{ ...component, required: false, readOnly: false }}
      value={value}
      onChange={onChange}
    />
  ) : null
}
