import { Group, Select, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import type { Pair } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { ReferenceInput, type SourceField } from "./ReferenceInput.tsx"

export interface PairRowsProps {
  pairs: readonly Pair[]
  onChange(pairs: Pair[]): void
  add: string
  fieldLabel: string
  /** The fields to choose from; without them a field is written freely, as a header is. */
  fields?: readonly SourceField[]
  /** Where values may be taken from; without it they are written. */
  source?: { prefix: "$refFlow." | "$refData."; fields: readonly SourceField[] } | undefined
}

/** Fields with their values, row by row. */
export function PairRows({ pairs, onChange, add, fieldLabel, fields, source }: PairRowsProps) {
  const t = useMessages(automationMessages)
  const set = (index: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...change } : pair)))
  return (
    <>
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index
        <div key={index} className="pair-row">
          {fields ? (
            <Select
              label={fieldLabel}
              placeholder={t("choose")}
              searchable
              data={withChosen(choicesOf(fields), pair.field)}
              value={pair.field || null}
              onChange={(field) => set(index, { field: field ?? "", value: "" })}
            />
          ) : (
            <TextInput label={fieldLabel} {...bindText(pair.field, (field) => set(index, { field }))} />
          )}
          <PairValue>
            {source ? (
              <ReferenceInput
                label={t("value")}
                value={pair.value}
                prefix={source.prefix}
                fields={source.fields}
                onChange={(value) => set(index, { value })}
              />
            ) : (
              <ValueInput
                options={fields?.find(({ id }) => id === pair.field)?.options}
                value={pair.value}
                onChange={(value) => set(index, { value })}
              />
            )}
          </PairValue>
          <IconButton
            icon={IconTrash}
            label={t("removeRow", { number: index + 1 })}
            onClick={() => onChange(pairs.filter((_pair, at) => at !== index))}
          />
        </div>
      ))}
      <Group>
        <ActionButton
          icon={IconPlus}
          label={add}
          size="xs"
          variant="default"
          onClick={() => onChange([...pairs, { field: "", value: "" }])}
        />
      </Group>
    </>
  )
}

function PairValue({ children }: { children: ReactNode }) {
  return <div style={{ minWidth: 0 }}>{children}</div>
}

interface ValueInputProps {
  options: SourceField["options"]
  value: string
  onChange(value: string): void
}

/** A value is chosen where the field has known ones, and written elsewhere. */
function ValueInput({ options, value, onChange }: ValueInputProps) {
  const t = useMessages(automationMessages)
  if (!options) return <TextInput label={t("value")} {...bindText(value, onChange)} />
  return (
    <Select
      label={t("value")}
      placeholder={t("choose")}
      searchable
      limit={200}
      data={withChosen(options, value)}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? "")}
    />
  )
}

const choicesOf = (fields: readonly SourceField[]) =>
  fields.map(({ id, title }) => ({ value: id, label: title }))

/** What no longer exists stays visible, so that it can be corrected. */
function withChosen(options: NonNullable<SourceField["options"]>, chosen: string) {
  return chosen === "" || options.some(({ value }) => value === chosen)
    ? [...options]
    : [...options, { value: chosen, label: chosen }]
}
