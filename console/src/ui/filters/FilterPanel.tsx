import { Button, Group, Stack } from "@mantine/core"
import { IconPlus, IconX } from "@tabler/icons-react"
import { useState } from "react"
import { filterLimits, type RowFilter } from "#shared/row-filter.ts"
import { useMessages } from "../../i18n/language.tsx"
import { IconButton } from "../actions/ActionButton.tsx"
import { Form } from "../forms/Form.tsx"
import { FilterRow, JoinChoice } from "./FilterRows.tsx"
import {
  type Draft,
  type DraftRow,
  draftOf,
  type FilterableField,
  filterOf,
  firstValue,
  operatorsOf,
} from "./filter-draft.ts"
import { builderMessages } from "./filter-messages.ts"

export interface FilterPanelProps {
  fields: readonly FilterableField[]
  filter: RowFilter | undefined
  onChange(filter: RowFilter | undefined): void
}

/** Loaded when it is opened. Conditions and groups of conditions; the list follows when they are applied. */
export default function FilterPanel({ fields, filter, onChange }: FilterPanelProps) {
  const t = useMessages(builderMessages)
  const newRow = (): DraftRow => {
    const [first] = fields
    const kind = first?.kind ?? "text"
    const operator = operatorsOf(kind)[0] ?? "equals"
    return { field: first?.id ?? "", operator, value: firstValue(kind, operator) }
  }
  const [draft, setDraft] = useState<Draft | undefined>(() => {
    const read = draftOf(filter)
    return read && read.parts.length === 0 ? { ...read, parts: [newRow()] } : read
  })
  const remove = () => onChange(undefined)
  if (!draft)
    return (
      <Stack gap="sm" w={320}>
        {t("tooDeep")}
        <Button onClick={remove}>{t("remove")}</Button>
      </Stack>
    )
  const { parts } = draft
  const put = (at: number, part: Draft["parts"][number] | undefined) =>
    setDraft({ ...draft, parts: part ? parts.with(at, part) : parts.toSpliced(at, 1) })
  const count = parts.reduce((sum, part) => sum + ("field" in part ? 1 : part.rows.length), 0)
  const isFull = count >= filterLimits.conditions
  return (
    <Form onSubmit={() => onChange(filterOf(draft))}>
      <Stack gap="xs" className="filter-panel">
        <JoinChoice value={draft.join} onChange={(join) => setDraft({ ...draft, join })} />
        {parts.map((part, at) =>
          "field" in part ? (
            <FilterRow
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
              key={at}
              fields={fields}
              row={part}
              onChange={(row) => put(at, row)}
              onRemove={() => put(at, undefined)}
            />
          ) : (
            <FilterGroup
              // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity of their own
              key={at}
              fields={fields}
              group={part}
              newRow={isFull ? undefined : newRow}
              onChange={(group) => put(at, group)}
            />
          ),
        )}
        <Group gap="xs" justify="space-between">
          <Group gap={4}>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={isFull}
              onClick={() => setDraft({ ...draft, parts: [...parts, newRow()] })}
            >
              {t("addCondition")}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={isFull}
              onClick={() => setDraft({ ...draft, parts: [...parts, { join: "or", rows: [newRow()] }] })}
            >
              {t("addGroup")}
            </Button>
          </Group>
          <Group gap={6}>
            {filter ? (
              <Button size="xs" variant="default" onClick={remove}>
                {t("remove")}
              </Button>
            ) : null}
            <Button size="xs" type="submit">
              {t("apply")}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Form>
  )
}

type DraftGroup = Exclude<Draft["parts"][number], DraftRow>

function FilterGroup({
  fields,
  group,
  newRow,
  onChange,
}: {
  fields: readonly FilterableField[]
  group: DraftGroup
  newRow: (() => DraftRow) | undefined
  onChange(group: DraftGroup | undefined): void
}) {
  const t = useMessages(builderMessages)
  const rows = (next: DraftRow[]) => onChange(next.length > 0 ? { ...group, rows: next } : undefined)
  return (
    <Stack gap="xs" className="filter-group">
      <Group justify="space-between">
        <JoinChoice value={group.join} onChange={(join) => onChange({ ...group, join })} />
        <IconButton
          icon={IconX}
          label={t("removeGroup")}
          variant="subtle"
          color="gray"
          onClick={() => onChange(undefined)}
        />
      </Group>
      {group.rows.map((row, at) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          key={at}
          fields={fields}
          row={row}
          onChange={(changed) => rows(group.rows.with(at, changed))}
          onRemove={() => rows(group.rows.toSpliced(at, 1))}
        />
      ))}
      <Button
        size="xs"
        variant="subtle"
        w="max-content"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={!newRow}
        onClick={() => newRow && rows([...group.rows, newRow()])}
      >
        {t("addCondition")}
      </Button>
    </Stack>
  )
}
