import { MultiSelect, type MultiSelectProps } from "@mantine/core"
import { useRef, useState } from "react"

/** By this attribute of what has the focus, a dialog knows that Escape is not meant for it. */
const ownEscape = "data-mantine-stop-propagation"

/**
 * A choice of several values. Its list closes after each choice: left open, it covers the buttons of its dialog. Who presses Escape
 * to close the list that has just closed does not lose the dialog.
 */
export function ManySelect({ onChange, ...props }: MultiSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const release = () => input.current?.removeAttribute(ownEscape)
  return (
    <MultiSelect
      {...props}
      ref={input}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onKeyDown={release}
      onBlur={release}
      onChange={(values) => {
        onChange?.(values)
        setOpen(false)
        // After the list has closed, which removes it.
        requestAnimationFrame(() => input.current?.setAttribute(ownEscape, "true"))
      }}
    />
  )
}
