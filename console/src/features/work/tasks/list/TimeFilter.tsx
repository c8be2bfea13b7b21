import { Button, Group, Popover, SegmentedControl, Stack } from "@mantine/core"
import { IconCalendarEvent } from "@tabler/icons-react"
import { useState } from "react"
import { localOf } from "../../../../i18n/day-bounds.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../../ui/forms/DateTimeInput.tsx"
import { addDays } from "../calendar-days.ts"
import { taskMessages } from "../messages.ts"
import { filterMessages } from "./filter-messages.ts"
import type { TaskSearch } from "./task-search.ts"

interface TimeFilterProps {
  search: TaskSearch
  onChange(change: {
    from?: string | undefined
    to?: string | undefined
    timeBy?: TaskSearch["timeBy"] | undefined
  }): void
}

const times = ["startTime", "createdTime", "doneTime"] as const

/** Which days, and of which of a task's times; the button shows the choice. */
export function TimeFilter({ search, onChange }: TimeFilterProps) {
  const t = useMessages(filterMessages)
  const tTask = useMessages(taskMessages)
  const { organization } = useSession()
  const [isOpen, setOpen] = useState(false)
  const today = localOf(new Date(), organization.timeZone).slice(0, 10)
  const near = { yesterday: addDays(today, -1), today, tomorrow: addDays(today, 1) }
  const names = { startTime: t("starts"), createdTime: t("created"), doneTime: t("finished") }
  const formats = useFormats()
  const { from, to } = search
  const day = (date: string) => formats.day(date)
  const chosen =
    !from && !to
      ? undefined
      : from === to
        ? day(from ?? "")
        : `${from ? day(from) : ""} – ${to ? day(to) : ""}`
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionButton
          icon={IconCalendarEvent}
          label={chosen?.trim() ?? t("anyDay")}
          variant={chosen ? "light" : "default"}
          onClick={() => setOpen((was) => !was)}
          fw={chosen ? 600 : 400}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t("days")}>
        <Stack gap="sm" w={300}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t("whichTime")}
            value={search.timeBy ?? "startTime"}
            data={times.map((value) => ({ value, label: names[value] }))}
            onChange={(value) =>
              onChange({ timeBy: times.find((time) => time === value && time !== "startTime") })
            }
          />
          <Group gap={6} grow>
            {(Object.keys(near) as (keyof typeof near)[]).map((name) => (
              <Button
                key={name}
                size="xs"
                variant={search.from === near[name] && search.to === near[name] ? "filled" : "default"}
                onClick={() => onChange({ from: near[name], to: near[name] })}
              >
                {t(name)}
              </Button>
            ))}
          </Group>
          <Group gap="xs" grow>
            <DateTimeInput
              type="date"
              label={tTask("from")}
              {...bindText(search.from ?? "", (text) => onChange({ from: text || undefined }))}
            />
            <DateTimeInput
              type="date"
              label={tTask("to")}
              {...bindText(search.to ?? "", (text) => onChange({ to: text || undefined }))}
            />
          </Group>
          {search.from || search.to ? (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={() => onChange({ from: undefined, to: undefined, timeBy: undefined })}
            >
              {t("anyDay")}
            </Button>
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
