import { TextInput, type TextInputProps } from "@mantine/core"
import { bindText } from "../../ui/forms/bind.ts"

interface RequiredTextProps extends Omit<TextInputProps, "value" | "onChange" | "error"> {
  label: string
  value: string
  onChange(value: string): void
  /** What the server says about it. */
  errors?: readonly string[] | undefined
}

/** A name or a code: a line that must be filled in. */
export function RequiredText({ value, onChange, errors, ...input }: RequiredTextProps) {
  return (
    <TextInput
      required
      withAsterisk={false}
      maxLength={200}
      error={errors?.[0]}
      {...bindText(value, onChange)}
      {...input}
    />
  )
}
