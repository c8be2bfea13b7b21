import { Select } from "@mantine/core"
import type { LateSelectProps } from "./LateSelect.tsx"

/** The list itself: it opens at once, since it is loaded by the click that wants it. */
export default function OpenedSelect({ label, data, width, ...rest }: LateSelectProps) {
  return (
    <Select
      {...rest}
      aria-label={label}
      data={[...data]}
      w={width}
      defaultDropdownOpened
      autoFocus
      comboboxProps={{ shadow: "md", width: "max-content" }}
    />
  )
}
