import { InputBase, type SelectProps } from "@mantine/core"
import { IconSelector } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { late } from "./late.tsx"

export interface LateSelectProps {
  label: string
  /** What stands there while nothing is chosen. */
  placeholder: string
  data: readonly { value: string; label: string }[]
  value: string | null
  onChange(value: string | null): void
  searchable?: boolean
  clearable?: boolean
  leftSection?: ReactNode
  width?: SelectProps["w"]
}

const Opened = late<LateSelectProps>(() => import("./OpenedSelect.tsx"), "listbox")

/** A choice among many of which the page at first needs only the name of the chosen one. */
export function LateSelect(props: LateSelectProps) {
  const chosen = props.data.find(({ value }) => value === props.value)
  return (
    <Opened
      {...props}
      button={
        <InputBase
          component="button"
          type="button"
          role="combobox"
          aria-label={props.label}
          pointer
          w={props.width}
          leftSection={props.leftSection}
          rightSection={<IconSelector size={14} stroke={1.8} aria-hidden />}
          rightSectionPointerEvents="none"
          classNames={{ input: "late-select" }}
          mod={{ empty: chosen === undefined }}
        >
          {chosen?.label ?? props.placeholder}
        </InputBase>
      }
    />
  )
}
