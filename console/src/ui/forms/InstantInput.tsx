import type { TextInputProps } from "@mantine/core"
import { useState } from "react"
import { instantOf, localOf } from "../../i18n/day-bounds.ts"
import { parseTime } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { DateTimeInput } from "./DateTimeInput.tsx"

const messages = defineMessages("console.instantInput", { zone: "Time in {zone}" })

export interface InstantInputProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
  /** A time as the server writes or takes it; "" for none. */
  value: string
  /** The zone whose clock the input shows: the organization's, wherever the device is. */
  timeZone: string
  /** ISO 8601 in UTC; null when the input was emptied. */
  onChange(value: string | null): void
}

/** The first year that is certainly typed to its end: a browser reports each digit of it. */
const firstWholeYear = 1000

/** A date and time in the organization's zone; names the zone if the device uses another. */
export function InstantInput({ value, timeZone, onChange, ...rest }: InstantInputProps) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState<string>()
  const instant = parseTime(value)
  const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone
  const hints = [
    ...(typeof rest.description === "string" ? [rest.description] : []),
    ...(isElsewhere ? [t("zone", { zone: timeZone.replaceAll("_", " ") })] : []),
  ]
  return (
    <DateTimeInput
      {...rest}
      {...(hints.length > 0 ? { description: hints.join(" · ") } : {})}
      type="datetime-local"
      value={typed ?? (instant ? localOf(instant, timeZone) : "")}
      onChange={(event) => {
        const local = event.currentTarget.value
        setTyped(local)
        if (local === "") onChange(null)
        else if (Number(local.slice(0, local.indexOf("-"))) >= firstWholeYear)
          onChange(instantOf(local, timeZone).toISOString())
      }}
      onBlur={(event) => {
        setTyped(undefined)
        rest.onBlur?.(event)
      }}
    />
  )
}
