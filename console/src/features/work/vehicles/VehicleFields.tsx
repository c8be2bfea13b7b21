import "./vehicles.css"
import { Group, NumberInput, Select, TagsInput, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { isBreakOutside } from "#shared/break-time.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { usePeopleNames } from "../tasks/people.ts"
import { vehicleMessages } from "./messages.ts"
import { VehicleTermFields } from "./VehicleTermFields.tsx"
import type { VehicleDraft } from "./vehicle-draft.ts"
import { capacitiesQuery } from "./vehicles.queries.ts"

export interface VehicleFieldsProps {
  draft: VehicleDraft
  refusals: Readonly<Record<string, readonly string[]>>
  onChange(part: Partial<VehicleDraft>): void
}

/** Everything of a vehicle but its name. */
export function VehicleFields({ draft, refusals, onChange }: VehicleFieldsProps) {
  const t = useMessages(vehicleMessages)
  const people = usePeopleNames()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const time = (key: "workFrom" | "workTo" | "breakFrom" | "breakTo", label: string) => (
    <DateTimeInput
      type="time"
      // A clock of twelve hours needs this much.
      miw={136}
      label={label}
      required={key.startsWith("work")}
      withAsterisk={false}
      {...bindText(draft[key], (text) => onChange({ [key]: text }))}
    />
  )
  return (
    <>
      <Group grow align="start">
        <Select
          label={t("hub")}
          data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
          value={draft.hubId}
          error={hubs.length === 0 ? t("needsHub") : refusals.hubId?.[0]}
          onChange={(hubId) => onChange({ hubId })}
        />
        <Select
          label={t("assignee")}
          placeholder={t("nobody")}
          clearable
          searchable
          data={[...people].map(([value, label]) => ({ value, label }))}
          value={draft.assignee}
          error={refusals.assignee?.[0]}
          onChange={(assignee) => onChange({ assignee })}
        />
      </Group>
      <fieldset className="bare-fieldset">
        <legend className="panel-heading">{t("working")}</legend>
        <Group grow preventGrowOverflow={false} align="start">
          {time("workFrom", t("from"))}
          {time("workTo", t("to"))}
          <NumberInput
            label={t("days")}
            title={t("daysHint")}
            min={0}
            max={365}
            value={draft.workDays}
            onChange={(workDays) => onChange({ workDays })}
          />
        </Group>
        <FieldError text={refusals.workingTime?.[0]} />
      </fieldset>
      <fieldset className="bare-fieldset">
        <legend className="panel-heading">{t("break")}</legend>
        <Group grow align="start">
          {time("breakFrom", t("from"))}
          {time("breakTo", t("to"))}
          <NumberInput
            label={t("breakMinutes")}
            title={t("breakMinutesHint")}
            min={1}
            max={480}
            allowDecimal={false}
            error={refusals.breakMinutes?.[0]}
            value={draft.breakMinutes}
            onChange={(breakMinutes) => onChange({ breakMinutes })}
          />
        </Group>
        <FieldError
          text={
            refusals.breakTime?.[0] ??
            (isBreakOutside(
              { startTime: draft.workFrom, endTime: draft.workTo, multiday: Number(draft.workDays) },
              { startTime: draft.breakFrom, endTime: draft.breakTo },
            )
              ? t("breakOutside")
              : undefined)
          }
        />
      </fieldset>
      <CapacityFields draft={draft} refusals={refusals} onChange={onChange} />
      <TagsInput
        label={t("tags")}
        description={t("tagsHint")}
        maxTags={10}
        value={draft.tags}
        onChange={(tags) => onChange({ tags })}
      />
      <Group grow align="start">
        <NumberInput
          label={t("speedUnit")}
          min={5}
          required
          withAsterisk={false}
          error={refusals.speed?.[0]}
          value={draft.speed}
          onChange={(speed) => onChange({ speed })}
        />
        <NumberInput
          label={t("fixedCost")}
          title={t("fixedCostHint")}
          min={0}
          max={100}
          allowDecimal={false}
          required
          withAsterisk={false}
          error={refusals.fixedCost?.[0]}
          value={draft.fixedCost}
          onChange={(fixedCost) => onChange({ fixedCost })}
        />
        <Select
          label={t("oddEven")}
          data={(["any", "odd", "even"] as const).map((value) => ({ value, label: t(value) }))}
          value={draft.oddEven}
          onChange={(oddEven) => onChange({ oddEven: oddEven ?? "any" })}
        />
      </Group>
      <VehicleTermFields draft={draft} refusals={refusals} onChange={onChange} />
    </>
  )
}

function FieldError({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <Text size="xs" c="var(--mantine-color-error)" role="alert" style={{ gridColumn: "1 / -1" }}>
      {text}
    </Text>
  )
}

/** Bounds for each thing that the organization measures, and for those that this vehicle has besides. */
function CapacityFields({ draft, refusals, onChange }: VehicleFieldsProps) {
  const t = useMessages(vehicleMessages)
  const { may } = useSession()
  const { data: document } = useQuery({ ...capacitiesQuery, enabled: may("view/configuration") })
  const units = new Map(document?.capacityConstraint.map(({ name, denominator }) => [name, denominator]))
  const names = [...new Set([...units.keys(), ...Object.keys(draft.capacity)])]
  const bound = (name: string, key: "min" | "max") => (
    <NumberInput
      aria-label={`${name}: ${t(key)}`}
      placeholder={t(key)}
      hideControls
      min={0}
      decimalScale={6}
      // A minimum alone would be dropped.
      required={key === "max" && Number(draft.capacity[name]?.min ?? 0) > 0}
      value={draft.capacity[name]?.[key] ?? ""}
      onChange={(value) => {
        const known = draft.capacity[name] ?? { min: 0, max: "" }
        onChange({ capacity: { ...draft.capacity, [name]: { ...known, [key]: value } } })
      }}
    />
  )
  return (
    <fieldset className="bare-fieldset">
      <legend className="panel-heading">{t("capacity")}</legend>
      {names.length === 0 ? (
        <p className="quiet">{t("noCapacities")}</p>
      ) : (
        <>
          <p className="quiet" style={{ fontSize: "0.75rem", marginBottom: 6 }}>
            {t("capacityHint")}
          </p>
          {names.map((name) => (
            <div key={name} className="capacity-row">
              <span>
                {name} <span className="quiet">{units.get(name) ?? ""}</span>
              </span>
              {bound(name, "min")}
              {bound(name, "max")}
              <FieldError text={refusals[`capacity.${name}`]?.[0]} />
            </div>
          ))}
        </>
      )}
    </fieldset>
  )
}
