import { TextInput, type TextInputProps } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { bindText } from "./bind.ts"

interface SearchInputProps extends Omit<TextInputProps, "label" | "value" | "onChange"> {
  /** Names the input to screen readers, and is shown while it is empty. */
  label: string
  value: string
  onChange(text: string): void
}

export function SearchInput({ label, value, onChange, ...input }: SearchInputProps) {
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      {...input}
      {...bindText(value, onChange)}
    />
  )
}
