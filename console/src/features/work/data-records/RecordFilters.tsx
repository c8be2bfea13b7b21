import "./data-records.css"
import { Button, CloseButton, Group, Popover, Select, Stack } from "@mantine/core"
import { IconFilter } from "@tabler/icons-react"
import { type ReactNode, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { Form } from "../../../ui/forms/Form.tsx"
import type { DataField, DataType } from "../data-types/data-types.queries.ts"
import { FieldInput } from "../data-types/FieldInput.tsx"
import { dataTypeMessages } from "../data-types/messages.ts"
import { recordMessages } from "./messages.ts"
import {
  type FieldOptions,
  type FilterOperator,
  optionsOf,
  type RecordSearch,
  whereOf,
} from "./record-search.ts"

const ordered = new Set(["number", "date", "dateTime", "time"])

/** The filters of a field: ordered kinds have more and less, texts have contains. */
function operatorsOf(field: DataField | undefined): FilterOperator[] {
  if (!field) return ["equals"]
  if (ordered.has(field.type)) return ["equals", "gte", "lte"]
  return field.type === "option" || field.type === "boolean" ? ["equals"] : ["contains", "equals"]
}

export interface RecordFiltersProps {
  type: DataType
  where: RecordSearch["where"]
  onChange(where: RecordSearch["where"]): void
  /** Further choices beside the filters. */
  children?: ReactNode
}

/** The filters of the grid, each with a button to remove it, and one to add another. */
export function RecordFilters({ type, where, onChange, children }: RecordFiltersProps) {
  const t = useMessages(recordMessages)
  const tType = useMessages(dataTypeMessages)
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const requests = optionsOf(where)
  const titleOf = (fieldId: string) => type.fields.find(({ id }) => id === fieldId)?.title ?? fieldId
  const valueText = ({ fieldId, value }: FieldOptions) => {
    const kind = type.fields.find(({ id }) => id === fieldId)?.type
    if (kind === "dateTime") return formats.dateTime(value)
    if (kind === "date") return formats.day(value)
    return kind === "boolean" ? tType(value === "true" ? "yes" : "no") : value
  }
  const drop = (options: FieldOptions) => onChange(whereOf(requests.filter((other) => other !== options)))
  return (
    <div className="toolbar">
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
        <Popover.Target>
          <ActionButton
            icon={IconFilter}
            label={t("filter")}
            variant="default"
            onClick={() => setOpen((was) => !was)}
          />
        </Popover.Target>
        <Popover.Dropdown>
          <NewFilter
            type={type}
            onAdd={(options) => {
              setOpen(false)
              onChange(whereOf([...requests, options]))
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {requests.map((options) => (
        <Group key={`${options.fieldId}-${options.operator}`} gap={4} className="filter-chip">
          <span>
            {titleOf(options.fieldId)} {t(options.operator)} <strong>{valueText(options)}</strong>
          </span>
          <CloseButton
            size="xs"
            aria-label={t("removeFilter", { field: titleOf(options.fieldId) })}
            onClick={() => drop(options)}
          />
        </Group>
      ))}
      {requests.length > 1 ? (
        <Button variant="subtle" color="gray" onClick={() => onChange(undefined)}>
          {t("clearFilters")}
        </Button>
      ) : null}
      {children}
    </div>
  )
}

function NewFilter({ type, onAdd }: { type: DataType; onAdd(options: FieldOptions): void }) {
  const t = useMessages(recordMessages)
  const [fieldId, setFieldId] = useState(type.fields[0]?.id ?? "")
  const field = type.fields.find(({ id }) => id === fieldId)
  const operators = operatorsOf(field)
  const [operator, setOperator] = useState<FilterOperator>(operators[0] ?? "equals")
  const [value, setValue] = useState<string | number | boolean | null>(null)
  const choose = (id: string) => {
    setFieldId(id)
    setOperator(operatorsOf(type.fields.find((candidate) => candidate.id === id))[0] ?? "equals")
    setValue(null)
  }
  const submit = () => {
    if (value !== null) onAdd({ fieldId, operator, value: String(value) })
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm" w={250}>
        <Select
          label={t("field")}
          data={type.fields.map(({ id, title }) => ({ value: id, label: title }))}
          value={fieldId}
          comboboxProps={{ withinPortal: false }}
          onChange={(id) => choose(id ?? fieldId)}
        />
        <Select
          label={t("operator")}
          data={operators.map((name) => ({ value: name, label: t(name) }))}
          value={operator}
          comboboxProps={{ withinPortal: false }}
          onChange={(name) => setOperator((name ?? "equals") as FilterOperator)}
        />
        {field ? (
          <FieldInput
            key={fieldId}
            field={{ ...field, required: false, description: null }}
            label={t("value")}
            value={value}
            onChange={setValue}
          />
        ) : null}
        <Button type="submit" disabled={value === null}>
          {t("add")}
        </Button>
      </Stack>
    </Form>
  )
}
