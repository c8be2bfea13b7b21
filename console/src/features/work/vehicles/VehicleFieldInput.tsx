import { Group, NumberInput, Select, TagsInput, TextInput } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { useHubNames, usePeopleNames } from "../tasks/people.ts"
import { vehicleMessages } from "./messages.ts"
import type { VehicleChange } from "./vehicles.queries.ts"

export const vehicleFields = [
  "name",
  "assignee",
  "hub",
  "working",
  "break",
  "tags",
  "speed",
  "fixedCost",
  "oddEven",
] as const
export type VehicleField = (typeof vehicleFields)[number]

interface VehicleFieldInputProps {
  field: VehicleField
  change: VehicleChange
  onChange(change: VehicleChange): void
}

/** The input for one field of a vehicle. */
export function VehicleFieldInput({ field, change, onChange }: VehicleFieldInputProps) {
  const t = useMessages(vehicleMessages)
  const [people, hubs] = [usePeopleNames(), useHubNames()]
  const choices = (names: ReadonlyMap<string, string>) =>
    [...names].map(([value, label]) => ({ value, label }))
  const times = (key: "workingTime" | "breakTime") => {
    const { startTime, endTime } = change[key] ?? {}
    const put = (part: { startTime?: string; endTime?: string }) =>
      onChange({
        [key]: { ...change[key], startTime: startTime ?? "", endTime: endTime ?? "", ...part },
      })
    return (
      <Group grow align="start">
        <DateTimeInput
          type="time"
          label={t("from")}
          {...bindText((startTime ?? "").slice(0, 5), (text) => put({ startTime: text }))}
        />
        <DateTimeInput
          type="time"
          label={t("to")}
          {...bindText((endTime ?? "").slice(0, 5), (text) => put({ endTime: text }))}
        />
      </Group>
    )
  }
  const number = (key: "speed" | "fixedCost", label: string, min: number, max?: number) => (
    <NumberInput
      label={label}
      required
      withAsterisk={false}
      min={min}
      {...(max === undefined ? {} : { max })}
      value={change[key] ?? ""}
      onChange={(value) => onChange(typeof value === "number" ? { [key]: value } : {})}
    />
  )
  switch (field) {
    case "name":
      return (
        <TextInput
          label={t("name")}
          required
          withAsterisk={false}
          maxLength={255}
          {...bindText(change.name ?? "", (name) => onChange({ name }))}
        />
      )
    case "assignee":
      return (
        <Select
          label={t("assignee")}
          placeholder={t("nobody")}
          clearable
          searchable
          data={choices(people)}
          value={change.assignee ?? null}
          onChange={(assignee) => onChange({ assignee })}
        />
      )
    case "hub":
      return (
        <Select
          label={t("hub")}
          allowDeselect={false}
          searchable
          data={choices(hubs)}
          value={change.hubId ?? null}
          onChange={(hubId) => onChange(hubId === null ? {} : { hubId })}
        />
      )
    case "working":
      return times("workingTime")
    case "break":
      return times("breakTime")
    case "tags":
      return (
        <TagsInput
          label={t("tags")}
          maxTags={10}
          value={change.tags ?? []}
          onChange={(tags) => onChange({ tags })}
        />
      )
    case "speed":
      return number("speed", t("speedUnit"), 5)
    case "fixedCost":
      return number("fixedCost", t("fixedCost"), 0, 100)
    case "oddEven":
      return (
        <Select
          label={t("oddEven")}
          allowDeselect={false}
          data={(["any", "odd", "even"] as const).map((value) => ({ value, label: t(value) }))}
          value={change.oddEven ?? "any"}
          onChange={(value) => onChange({ oddEven: value === "any" ? null : value })}
        />
      )
  }
}
