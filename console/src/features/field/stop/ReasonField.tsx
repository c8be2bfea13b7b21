import { NativeSelect, TextInput } from "@mantine/core"

interface ReasonFieldProps {
  label: string
  /** None: any text. */
  reasons: readonly string[]
  isRequired: boolean
  error: string | undefined
  value: unknown
  onChange(value: string): void
}

/** A reason: one of the flow's, else any text. */
export function ReasonField({ label, reasons, isRequired, error, value, onChange }: ReasonFieldProps) {
  const common = {
    label,
    size: "lg",
    required: isRequired,
    value: typeof value === "string" ? value : "",
    ...(error === undefined ? {} : { error }),
  } as const
  if (reasons.length === 0)
    return <TextInput {...common} maxLength={255} onChange={(event) => onChange(event.currentTarget.value)} />
  return (
    <NativeSelect
      {...common}
      data={["", ...reasons]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
