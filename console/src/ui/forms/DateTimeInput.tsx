import "./DateTimeInput.css"
import { TextInput, type TextInputProps } from "@mantine/core"
import { useMemo } from "react"
import { createFormats } from "../../i18n/formats.ts"
import { useLanguage } from "../../i18n/language.tsx"

export interface DateTimeInputProps extends Omit<TextInputProps, "type" | "value"> {
  type: "date" | "time" | "datetime-local"
  /** `2031-05-04`, `09:30` or `2031-05-04T09:30`; "" for none. */
  value: string
}

/**
 * The browser's own input for dates and times. Until it is edited it shows its value as the rest of the console does, or nothing:
 * left alone, it follows the language of the browser and not the one that the person has chosen.
 */
export function DateTimeInput({ type, value, ...rest }: DateTimeInputProps) {
  const { locale } = useLanguage()
  const formats = useMemo(() => createFormats(locale, "UTC"), [locale])
  const text =
    value === ""
      ? ""
      : type === "date"
        ? formats.day(value)
        : type === "time"
          ? formats.time(`1970-01-01T${value}`)
          : `${formats.day(value.slice(0, 10))}, ${formats.time(value)}`
  return (
    <TextInput
      {...rest}
      type={type}
      value={value}
      data-written
      className={["date-time", rest.className].filter(Boolean).join(" ")}
      leftSection={<span className="date-time-text">{text}</span>}
      leftSectionWidth="calc(100% - 34px)"
      leftSectionPointerEvents="none"
    />
  )
}
