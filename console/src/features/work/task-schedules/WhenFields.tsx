import { Checkbox, Group, NumberInput, Pill, Select, TagsInput, Text } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { scheduleMessages } from "./messages.ts"
import { type Frequency, frequencies, periods, type When, weekdays } from "./schedule-when.ts"

const monthDays = Array.from({ length: 31 }, (_, index) => String(index + 1))
const timePattern = /^([01]?\d|2[0-3]):[0-5]\d$/
const maxInterval = 99

/** How often a schedule runs, on which days and at what times. */
export function WhenFields({ when, onChange }: { when: When; onChange(when: When): void }) {
  const t = useMessages(scheduleMessages)
  const formats = useFormats()
  const change = (part: Partial<When>) => onChange({ ...when, ...part })
  const kind = when.period === "custom" ? when.frequency : when.period
  const units: Record<Frequency, string> = {
    daily: t("unitDay"),
    weekly: t("unitWeek"),
    monthly: t("unitMonth"),
  }
  return (
    <>
      <Select
        label={t("repeats")}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: t(value) }))}
        value={when.period}
        onChange={(value) => change({ period: periods.find((period) => period === value) ?? "daily" })}
      />
      {when.period === "custom" ? (
        <Group grow align="start">
          <NumberInput
            label={t("interval")}
            min={1}
            max={maxInterval}
            value={when.interval}
            onChange={(value) => change({ interval: Number(value) || 1 })}
          />
          <Select
            label={t("unit")}
            allowDeselect={false}
            data={frequencies.map((value) => ({ value, label: units[value] }))}
            value={when.frequency}
            onChange={(value) =>
              change({ frequency: frequencies.find((known) => known === value) ?? "daily" })
            }
          />
        </Group>
      ) : null}
      {kind === "weekly" ? (
        <Checkbox.Group label={t("days")} value={when.days} onChange={(days) => change({ days })}>
          <Group mt={6} gap="sm">
            {weekdays.map((day) => (
              <Checkbox key={day} value={day} label={t(day)} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : null}
      {kind === "monthly" ? (
        <ManySelect
          label={t("monthDays")}
          data={monthDays}
          value={when.monthDays}
          onChange={(chosen) => change({ monthDays: chosen })}
        />
      ) : null}
      {kind === "byDate" ? (
        <div>
          <DateTimeInput
            type="date"
            label={t("addDate")}
            description={t("addDateHint")}
            value=""
            onChange={(event) => {
              const date = event.currentTarget.value
              if (date && Number(date.slice(0, 4)) > 1999)
                change({ dates: [...new Set([...when.dates, date])].toSorted() })
            }}
          />
          <Group gap={6} mt={8}>
            {when.dates.map((date) => (
              <Pill
                key={date}
                withRemoveButton
                removeButtonProps={{ "aria-label": t("removeDate", { date: formats.day(date) }) }}
                onRemove={() => change({ dates: when.dates.filter((other) => other !== date) })}
              >
                {formats.day(date)}
              </Pill>
            ))}
          </Group>
        </div>
      ) : null}
      <TagsInput
        label={t("times")}
        description={t("timesHint")}
        acceptValueOnBlur
        value={when.times}
        onChange={(times) =>
          change({
            times: [
              ...new Set(times.filter((time) => timePattern.test(time)).map((time) => time.padStart(5, "0"))),
            ].toSorted(),
          })
        }
      />
      {when.times.length === 0 ? (
        <Text size="sm" className="overdue">
          {t("needsTime")}
        </Text>
      ) : null}
      {kind === "byDate" ? null : (
        <Group grow align="start">
          <DateTimeInput type="date" label={t("from")} {...bindText(when.from, (from) => change({ from }))} />
          <DateTimeInput
            type="date"
            label={t("until")}
            {...bindText(when.until, (until) => change({ until }))}
          />
        </Group>
      )}
    </>
  )
}
