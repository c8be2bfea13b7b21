import { NumberInput, Select, TextInput } from "@mantine/core"
import { valueNumber } from "#shared/values.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { PlaceInput } from "../../../map/place/PlaceInput.tsx"
import { useSession } from "../../../session/session.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { InstantInput } from "../../../ui/forms/InstantInput.tsx"
import type { DataField } from "./data-types.queries.ts"
import { dataTypeMessages } from "./messages.ts"

export interface FieldInputProps {
  field: DataField
  value: unknown
  onChange(value: string | number | boolean | null): void
  error?: string | undefined
  /** Inside a cell of a grid: no label, smaller. */
  isBare?: boolean
  onDone?(isKept: boolean): void
  label?: string
}

/** One value of a field, typed or chosen as its kind wants it. Nothing is null. */
export function FieldInput({
  field,
  value,
  onChange,
  error,
  isBare = false,
  onDone,
  label,
}: FieldInputProps) {
  const t = useMessages(dataTypeMessages)
  const { organization } = useSession()
  const shared = {
    ...(isBare ? { "aria-label": field.title, size: "xs" as const } : { label: label ?? field.title }),
    ...(isBare || !field.description ? {} : { description: field.description }),
    ...(error ? { error } : {}),
    ...(isBare ? {} : { required: field.required, withAsterisk: field.required }),
    autoFocus: isBare,
    onBlur: () => onDone?.(true),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (!onDone) return
      event.stopPropagation()
      if (event.key === "Enter") onDone(true)
      if (event.key === "Escape") onDone(false)
    },
  }
  const text = value === null || value === undefined ? "" : String(value)
  const write = (next: string) => onChange(next === "" ? null : next)
  switch (field.type) {
    case "number":
      return (
        <NumberInput
          {...shared}
          hideControls
          value={typeof value === "number" ? value : text}
          onChange={(next) => onChange(next === "" ? null : (valueNumber(next) ?? next))}
        />
      )
    case "option":
    case "boolean": {
      const choices =
        field.type === "option"
          ? field.optionData.map((option) => ({ value: option, label: option }))
          : [
              { value: "true", label: t("yes") },
              { value: "false", label: t("no") },
            ]
      return (
        <Select
          {...shared}
          data={choices}
          value={text === "" ? null : text}
          clearable={!field.required}
          searchable={choices.length > 8}
          defaultDropdownOpened={isBare}
          comboboxProps={{ withinPortal: true }}
          onChange={(next) => onChange(field.type === "boolean" && next !== null ? next === "true" : next)}
        />
      )
    }
    case "date":
      return <DateTimeInput {...shared} type="date" {...bindText(text, write)} />
    case "time":
      return <DateTimeInput {...shared} type="time" {...bindText(text, write)} />
    case "dateTime":
      return <InstantInput {...shared} timeZone={organization.timeZone} value={text} onChange={onChange} />
    case "geolocation":
      return <PlaceInput {...shared} value={text} onChange={write} hasMap={!isBare} />
    default:
      return (
        <TextInput
          {...shared}
          type={field.type === "phoneNumber" ? "tel" : "text"}
          {...bindText(text, write)}
        />
      )
  }
}
