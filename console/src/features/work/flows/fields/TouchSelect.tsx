import { Checkbox, NativeSelect, Stack } from "@mantine/core"
import { chosenOptions } from "#shared/values.ts"
import type { FlowComponent } from "../flows.queries.ts"

interface TouchSelectProps {
  common: { label: string; required: boolean; size: "sm" | "md"; error?: string }
  component: FlowComponent
  isMany: boolean
  value: unknown
  onChange(value: unknown): void
}

/** A choice on a phone: its own list of one, or boxes to tick. */
export function TouchSelect({ common, component, isMany, value, onChange }: TouchSelectProps) {
  const options = component.options ?? []
  const chosen = chosenOptions(component, value)
  if (!isMany)
    return (
      <NativeSelect
        {...common}
        size="lg"
        data={["", ...options]}
        value={chosen[0] ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : [currentTarget.value])}
      />
    )
  return (
    <Checkbox.Group {...common} value={chosen} onChange={onChange}>
      <Stack gap={0} mt={4}>
        {options.map((option) => (
          <Checkbox
            key={option}
            className="touch-choice"
            size="md"
            value={option}
            label={option}
            error={common.error !== undefined}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
