import { Button } from "@mantine/core"
import { IconCalendarEvent } from "@tabler/icons-react"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { late } from "../../../../ui/late.tsx"
import { filterMessages } from "./filter-messages.ts"
import type { TaskSearch } from "./task-search.ts"

export interface TimeFilterProps {
  search: TaskSearch
  onChange(change: {
    from?: string | undefined
    to?: string | undefined
    timeBy?: TaskSearch["timeBy"] | undefined
  }): void
}

const TimeFields = late<TimeFilterProps>(() => import("../TimeFields.tsx"), "dialog")

/** Which days, and of which of a task's times; the button says what is chosen. */
export function TimeFilter(props: TimeFilterProps) {
  const t = useMessages(filterMessages)
  const formats = useFormats()
  const { from, to } = props.search
  const day = (date: string) => formats.day(date)
  const chosen =
    !from && !to
      ? undefined
      : from === to
        ? day(from ?? "")
        : `${from ? day(from) : ""} – ${to ? day(to) : ""}`
  return (
    <TimeFields
      {...props}
      button={
        <Button
          variant={chosen ? "light" : "default"}
          leftSection={<IconCalendarEvent size={16} />}
          fw={chosen ? 600 : 400}
        >
          {chosen?.trim() ?? t("anyDay")}
        </Button>
      }
    />
  )
}
