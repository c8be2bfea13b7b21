import { MultiSelect, type MultiSelectProps } from "@mantine/core"
import { useState } from "react"

/** A choice of several values. Its list closes after each choice: left open, it covers the buttons of its dialog. */
export function ManySelect({ onChange, ...props }: MultiSelectProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MultiSelect
      {...props}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onChange={(values) => {
        onChange?.(values)
        setOpen(false)
      }}
    />
  )
}
