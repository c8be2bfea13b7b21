import { Group, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { type FilterValue, timePeriods } from "#shared/row-filter.ts"
import { useMessages } from "../../i18n/language.tsx"
import { PlaceInput } from "../../map/place/PlaceInput.tsx"
import { bindText } from "../forms/bind.ts"
import { DateTimeInput } from "../forms/DateTimeInput.tsx"
import { type DraftRow, type FilterableField, needsValue } from "./filter-draft.ts"
import { builderMessages } from "./filter-messages.ts"

interface FilterValueInputProps {
  field: FilterableField
  row: DraftRow
  onChange(value: FilterValue | undefined): void
}

/** The input that fits a field and its comparison. Lists open inside the popover of the builder. */
export function FilterValueInput({ field, row, onChange }: FilterValueInputProps) {
  const t = useMessages(builderMessages)
  const { operator, value } = row
  if (!needsValue(operator)) return null
  if (field.kind === "place") return <NearInput value={value} onChange={onChange} />
  if (operator === "within" || operator === "notWithin")
    return <PeriodInput value={value} onChange={onChange} />
  if (field.kind === "flag")
    return (
      <Select
        aria-label={t("value")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[
          { value: "true", label: t("yes") },
          { value: "false", label: t("no") },
        ]}
        value={String(value ?? true)}
        onChange={(chosen) => onChange(chosen === "true")}
      />
    )
  if (field.kind === "number")
    return (
      <NumberInput
        aria-label={t("value")}
        value={typeof value === "number" ? value : ""}
        onChange={(number) => onChange(typeof number === "number" ? number : undefined)}
      />
    )
  if (field.kind === "choice")
    return (
      <MultiSelect
        aria-label={t("value")}
        searchable
        comboboxProps={{ withinPortal: false }}
        data={[...(field.options ?? [])]}
        value={Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]}
        onChange={(chosen) => onChange(chosen.length > 0 ? chosen : undefined)}
      />
    )
  const written = bindText(typeof value === "string" ? value : "", (text) => onChange(text || undefined))
  return field.kind === "time" ? (
    <DateTimeInput aria-label={t("value")} type="date" {...written} />
  ) : (
    <TextInput aria-label={t("value")} maxLength={200} {...written} />
  )
}

function PeriodInput({
  value,
  onChange,
}: Pick<FilterValueInputProps, "onChange"> & { value: FilterValue | undefined }) {
  const t = useMessages(builderMessages)
  const span = typeof value === "object" && "unit" in value ? value : undefined
  const kind = span ? (span.from < 0 ? "past" : "coming") : String(value ?? "today")
  const days = span ? Math.max(Math.abs(span.from), span.to) : 7
  const spanOf = (name: string, count: number): FilterValue =>
    name === "past" ? { from: -count, to: 0, unit: "days" } : { from: 0, to: count, unit: "days" }
  return (
    <Group gap={6} wrap="nowrap">
      <Select
        aria-label={t("period")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[...timePeriods, "past" as const, "coming" as const].map((name) => ({
          value: name,
          label: t(name),
        }))}
        value={kind}
        onChange={(name) =>
          onChange(name === "past" || name === "coming" ? spanOf(name, days) : (name ?? "today"))
        }
        style={{ flex: 1 }}
      />
      {span ? (
        <NumberInput
          aria-label={t("dayCount")}
          min={1}
          max={3650}
          w={74}
          value={days}
          onChange={(count) =>
            onChange(spanOf(kind, Math.min(3650, Math.max(1, Math.round(Number(count) || 1)))))
          }
        />
      ) : null}
    </Group>
  )
}

function NearInput({
  value,
  onChange,
}: Pick<FilterValueInputProps, "onChange"> & { value: FilterValue | undefined }) {
  const t = useMessages(builderMessages)
  const circle = typeof value === "object" && "meters" in value ? value : undefined
  const [text, setText] = useState(circle ? formatLatLng([circle.lng, circle.lat]) : "")
  const [kilometers, setKilometers] = useState((circle?.meters ?? 5000) / 1000)
  const write = (place: string, radius: number) => {
    const at = parseLatLng(place)
    onChange(at ? { lat: at[1], lng: at[0], meters: Math.round(radius * 1000) } : undefined)
  }
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <div style={{ flex: 1 }}>
        <PlaceInput
          aria-label={t("place")}
          value={text}
          onChange={(place) => {
            setText(place)
            write(place, kilometers)
          }}
        />
      </div>
      <NumberInput
        aria-label={t("radius")}
        suffix=" km"
        min={0.1}
        max={1000}
        w={92}
        value={kilometers}
        onChange={(number) => {
          const radius = Math.min(1000, Math.max(0.1, Number(number) || 0.1))
          setKilometers(radius)
          write(text, radius)
        }}
      />
    </Group>
  )
}
