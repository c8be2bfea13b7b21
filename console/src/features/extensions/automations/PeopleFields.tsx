import { Select } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import type { Person } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"

const chosenHere = "chosen"
const labelOf = { assignee: "ofAssignee", assignedBy: "ofAssignedBy", doneBy: "ofDoneBy" } as const

interface PeopleFieldsProps {
  label: string
  required?: boolean
  /** Whom of the first task may be taken instead; none: people are chosen here. */
  from: readonly Person[]
  /** Who is taken; empty: those that are chosen here. */
  taken: "" | Person
  chosen: string[]
  onTake(taken: "" | Person): void
  onChoose(chosen: string[]): void
}

/** People by name, or a person of the first task. */
export function PeopleFields({ label, required, from, taken, chosen, onTake, onChoose }: PeopleFieldsProps) {
  const t = useMessages(automationMessages)
  const people = usePeopleNames()
  return (
    <>
      {from.length > 0 ? (
        <Select
          label={t("reassign")}
          data={[
            { value: chosenHere, label: t("people") },
            ...from.map((person) => ({ value: person, label: t(labelOf[person]) })),
          ]}
          value={taken || chosenHere}
          allowDeselect={false}
          onChange={(value) => onTake(from.find((person) => person === value) ?? "")}
        />
      ) : null}
      {taken === "" ? (
        <ManySelect
          label={label}
          required={required ?? false}
          searchable
          data={[...people].map(([value, name]) => ({ value, label: name }))}
          value={chosen}
          onChange={onChoose}
        />
      ) : null}
    </>
  )
}
