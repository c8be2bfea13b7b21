import { ColorInput, TextInput } from "@mantine/core"
import { bindText } from "./bind.ts"

interface Named {
  name: string
  color: string
}

interface NameAndColorProps {
  labels: Named
  maxLength: number
  value: Named
  onChange(part: Partial<Named>): void
}

/** The name of an area of the map, and the colour that it has there. */
export function NameAndColor({ labels, maxLength, value, onChange }: NameAndColorProps) {
  return (
    <>
      <TextInput
        label={labels.name}
        required
        withAsterisk={false}
        maxLength={maxLength}
        data-autofocus
        {...bindText(value.name, (name) => onChange({ name }))}
      />
      <ColorInput
        label={labels.color}
        format="hex"
        eyeDropperButtonProps={{ "aria-label": labels.color }}
        value={value.color}
        onChange={(color) => onChange({ color })}
      />
    </>
  )
}
