import { Group, NumberInput, Pill, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { PlaceInput } from "../../../map/place/PlaceInput.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { vehicleMessages } from "./messages.ts"
import type { VehicleFieldsProps } from "./VehicleFields.tsx"
import type { CostName, VehicleDraft } from "./vehicle-draft.ts"

const costLabels = {
  day: "costDay",
  hour: "costHour",
  overtimeHour: "costOvertimeHour",
  kilometer: "costKilometer",
} as const satisfies Record<CostName, string>

/** Own places, limits of the day, costs and certificates: folded away unless the vehicle has some. */
export function VehicleTermFields({ draft, refusals, onChange }: VehicleFieldsProps) {
  const t = useMessages(vehicleMessages)
  const number = (
    key: "maxDuration" | "maxKilometers" | "maxOvertime" | "co2PerKilometer",
    label: string,
    max: number,
  ) => (
    <NumberInput
      label={label}
      min={0}
      max={max}
      allowDecimal={key === "maxKilometers" || key === "co2PerKilometer"}
      value={draft[key]}
      error={refusals[key === "maxKilometers" ? "maxDistance" : key]?.[0]}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  const place = (key: "startCoordinate" | "endCoordinate") => (
    <PlaceInput
      label={t(key)}
      description={t("ownPlaceHint")}
      error={refusals[key]?.[0]}
      value={draft[key]}
      onChange={(text) => onChange({ [key]: text })}
    />
  )
  return (
    <details className="vehicle-terms" open={hasTerms(draft) || undefined}>
      <summary className="panel-heading">{t("terms")}</summary>
      {place("startCoordinate")}
      {place("endCoordinate")}
      <Group grow align="end">
        {number("maxDuration", t("maxDuration"), 43_200)}
        {number("maxKilometers", t("maxKilometers"), 20_000)}
        {number("maxOvertime", t("maxOvertime"), 720)}
      </Group>
      <DayFields draft={draft} refusals={refusals} onChange={onChange} />
      <div className="vehicle-costs">
        {(Object.keys(costLabels) as CostName[]).map((name) => (
          <NumberInput
            key={name}
            label={t(costLabels[name])}
            min={0}
            max={1_000_000}
            decimalScale={4}
            value={draft.costs[name]}
            onChange={(value) => onChange({ costs: { ...draft.costs, [name]: value } })}
          />
        ))}
        {number("co2PerKilometer", t("co2"), 10_000)}
      </div>
      <p className="quiet vehicle-hint">{t("costsHint")}</p>
      <SkillFields draft={draft} refusals={refusals} onChange={onChange} />
    </details>
  )
}

/** Weekdays on which it works, and days on which it does not. */
function DayFields({ draft, refusals, onChange }: VehicleFieldsProps) {
  const t = useMessages(vehicleMessages)
  const { language } = useLanguage()
  const formats = useFormats()
  const names = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" })
  const [day, setDay] = useState("")
  return (
    <Group grow align="start">
      <ManySelect
        label={t("workDays")}
        placeholder={draft.weekdays.length === 0 ? t("everyDay") : ""}
        // The first of January 2024 was a Monday.
        data={[1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
          value: String(weekday),
          label: names.format(Date.UTC(2024, 0, weekday)),
        }))}
        value={draft.weekdays}
        onChange={(weekdays) => onChange({ weekdays: weekdays.toSorted() })}
      />
      <div>
        <DateTimeInput
          type="date"
          label={t("daysOff")}
          error={refusals.daysOff?.[0]}
          value={day}
          onChange={({ currentTarget: { value } }) => {
            setDay(value)
            if (value !== "" && !draft.daysOff.includes(value))
              onChange({ daysOff: [...draft.daysOff, value].toSorted() })
          }}
        />
        <Group gap={4} mt={4}>
          {draft.daysOff.map((off) => (
            <Pill
              key={off}
              withRemoveButton
              removeButtonProps={{
                "aria-label": t("removeSkill", { name: formats.day(off) }),
                "aria-hidden": false,
              }}
              onRemove={() => onChange({ daysOff: draft.daysOff.filter((other) => other !== off) })}
            >
              {formats.day(off)}
            </Pill>
          ))}
        </Group>
      </div>
    </Group>
  )
}

function SkillFields({ draft, refusals, onChange }: VehicleFieldsProps) {
  const t = useMessages(vehicleMessages)
  const { skills } = draft
  const edit = (index: number, part: Partial<VehicleDraft["skills"][number]>) =>
    onChange({ skills: skills.map((skill, at) => (at === index ? { ...skill, ...part } : skill)) })
  return (
    <fieldset className="bare-fieldset">
      <legend className="panel-heading">{t("skills")}</legend>
      <p className="quiet vehicle-hint">{t("skillsHint")}</p>
      {skills.map((skill, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: certificates have no identity of their own
        <div key={index} className="skill-row">
          <TextInput
            label={t("skillName")}
            maxLength={100}
            {...bindText(skill.name, (name) => edit(index, { name }))}
          />
          <DateTimeInput
            type="date"
            label={t("validFrom")}
            {...bindText(skill.validFrom, (validFrom) => edit(index, { validFrom }))}
          />
          <DateTimeInput
            type="date"
            label={t("validUntil")}
            error={refusals[`skills.${index}.validUntil`]?.[0]}
            {...bindText(skill.validUntil, (validUntil) => edit(index, { validUntil }))}
          />
          <IconButton
            icon={IconTrash}
            label={t("removeSkill", { name: skill.name })}
            size="lg"
            onClick={() => onChange({ skills: skills.toSpliced(index, 1) })}
          />
        </div>
      ))}
      <ActionButton
        icon={IconPlus}
        label={t("addSkill")}
        variant="light"
        size="xs"
        disabled={skills.length >= 50}
        onClick={() => onChange({ skills: [...skills, { name: "", validFrom: "", validUntil: "" }] })}
      />
    </fieldset>
  )
}

function hasTerms(draft: VehicleDraft): boolean {
  const { startCoordinate, endCoordinate, maxDuration, maxKilometers, maxOvertime, co2PerKilometer } = draft
  const lists = [draft.skills, draft.weekdays, draft.daysOff]
  const values = [startCoordinate, endCoordinate, maxDuration, maxKilometers, maxOvertime, co2PerKilometer]
  return (
    [...values, ...Object.values(draft.costs)].some((value) => value !== "") ||
    lists.some(({ length }) => length > 0)
  )
}
