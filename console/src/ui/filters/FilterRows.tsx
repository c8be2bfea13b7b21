import { Group, Select } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { useMessages } from "../../i18n/language.tsx"
import { IconButton } from "../actions/ActionButton.tsx"
import { FilterValueInput } from "./FilterValueInput.tsx"
import {
  type DraftOperator,
  type DraftRow,
  type FilterableField,
  firstValue,
  type Join,
  lateField,
  operatorsOf,
  unknownField,
} from "./filter-draft.ts"
import { builderMessages } from "./filter-messages.ts"

const timeWords = { gte: "since", lte: "until", equals: "on" } as const

export function FilterRow({
  fields,
  row,
  onChange,
  onRemove,
}: {
  fields: readonly FilterableField[]
  row: DraftRow
  onChange(row: DraftRow): void
  onRemove(): void
}) {
  const t = useMessages(builderMessages)
  const known = fields.find(({ id }) => id === row.field)
  const field = known ?? unknownField(row)
  const kind = row.field === lateField ? "late" : field.kind
  const word = (operator: DraftOperator) =>
    kind === "time" && operator in timeWords ? t(timeWords[operator as keyof typeof timeWords]) : t(operator)
  const begin = (id: string) => {
    const next = fields.find((one) => one.id === id)
    const nextKind = id === lateField ? "late" : (next?.kind ?? "text")
    const operator = operatorsOf(nextKind)[0] ?? "equals"
    onChange({ field: id, operator, value: firstValue(nextKind, operator) })
  }
  return (
    <div className="filter-row">
      <Select
        aria-label={t("field")}
        searchable
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[
          ...(known ? [] : [field]),
          ...fields.filter(({ id, isRare }) => !isRare || id === row.field),
        ].map(({ id, title }) => ({ value: id, label: title }))}
        value={row.field}
        onChange={(id) => begin(id ?? row.field)}
      />
      <Select
        aria-label={t("operator")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={operatorsOf(kind).map((name) => ({ value: name, label: word(name) }))}
        value={row.operator}
        onChange={(name) => {
          const operator = (name ?? row.operator) as DraftOperator
          const isSameShape =
            operator.toLowerCase().includes("within") === row.operator.toLowerCase().includes("within")
          onChange({ ...row, operator, value: isSameShape ? row.value : firstValue(kind, operator) })
        }}
      />
      <FilterValueInput
        key={`${row.field}-${row.operator}`}
        field={field}
        row={row}
        onChange={(value) => onChange({ ...row, value })}
      />
      <IconButton
        icon={IconX}
        label={t("removeCondition")}
        variant="subtle"
        color="gray"
        onClick={onRemove}
        className="filter-remove"
      />
    </div>
  )
}

export function JoinChoice({ value, onChange }: { value: Join; onChange(join: Join): void }) {
  const t = useMessages(builderMessages)
  const joins: readonly Join[] = ["and", "or", "none"]
  return (
    <Group gap="xs">
      <Select
        aria-label={t("join")}
        allowDeselect={false}
        size="xs"
        w={170}
        comboboxProps={{ withinPortal: false }}
        data={joins.map((join) => ({ value: join, label: t(join) }))}
        value={value}
        onChange={(join) => onChange(joins.find((name) => name === join) ?? value)}
      />
    </Group>
  )
}
