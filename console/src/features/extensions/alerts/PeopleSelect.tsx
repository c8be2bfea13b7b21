import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { foundQuery, positionsOfQuery } from "../../location/tracking/positions.ts"

interface PeopleSelectProps {
  label: string
  placeholder?: string
  /** Ids of users. */
  value: readonly string[]
  onChange(userIds: string[]): void
}

const everybody = {}

/** A choice of several people. They may be thousands, so the server searches their names. */
export function PeopleSelect({ label, placeholder, value, onChange }: PeopleSelectProps) {
  const [sought, setSought] = useState("")
  const [words] = useDebouncedValue(sought.trim(), 200)
  const { data: chosen = [] } = useQuery(positionsOfQuery(value))
  const { data: found = [] } = useQuery(foundQuery(everybody, words))
  const names = new Map([...chosen, ...found].map(({ userId, name }) => [userId, name]))
  return (
    <ManySelect
      label={label}
      placeholder={value.length === 0 ? placeholder : ""}
      searchable
      searchValue={sought}
      onSearchChange={setSought}
      hidePickedOptions
      data={[...names].map(([userId, name]) => ({ value: userId, label: name }))}
      value={[...value]}
      onChange={onChange}
    />
  )
}
