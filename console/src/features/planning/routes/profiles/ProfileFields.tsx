import { Checkbox, Group, NumberInput, Select } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { bindChecked, bindText } from "../../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../../ui/forms/DateTimeInput.tsx"
import { ManySelect } from "../../../../ui/forms/ManySelect.tsx"
import { useHubNames } from "../../../work/tasks/people.ts"
import { capacitiesQuery } from "../../../work/vehicles/vehicles.queries.ts"
import { noChanges, type ProfileDraft, proposalLimits } from "./profile-draft.ts"
import { profileMessages } from "./profile-messages.ts"
import { areasQuery } from "./profiles.queries.ts"

export interface ProfileFieldsProps {
  hubId: string
  draft: ProfileDraft
  onChange(part: Partial<ProfileDraft>): void
}

/** Every setting of a profile, worded for dispatchers. */
export function ProfileFields({ hubId, draft, onChange }: ProfileFieldsProps) {
  const t = useMessages(profileMessages)
  const hubs = useHubNames()
  const { data: capacities } = useQuery(capacitiesQuery)
  const { data: areas = [] } = useQuery(areasQuery(hubId))
  const known = (capacities?.capacityConstraint ?? []).map(({ name }) => name)
  const flag = (key: FlagName) => (
    <Checkbox
      key={key}
      label={t(key)}
      {...bindChecked(draft[key], (checked) => onChange({ [key]: checked }))}
    />
  )
  return (
    <>
      <Section title={t("times")}>
        <NumberInput
          label={t("defaultVisitTime")}
          min={0}
          max={1440}
          allowDecimal={false}
          value={draft.defaultVisitTime}
          onChange={(defaultVisitTime) => onChange({ defaultVisitTime })}
        />
        {draft.capacityConstraint.map((name) => (
          <NumberInput
            key={name}
            label={t("perUnit", { name })}
            min={0}
            max={1440}
            decimalScale={3}
            value={draft.perUnit[name] ?? 0}
            onChange={(minutes) => onChange({ perUnit: { ...draft.perUnit, [name]: minutes } })}
          />
        ))}
        <NumberInput
          label={t("defaultSpeed")}
          min={5}
          max={200}
          value={draft.defaultSpeed}
          onChange={(defaultSpeed) => onChange({ defaultSpeed })}
        />
        {flag("autoSpeed")}
        <NumberInput
          label={t("maxLateMinutes")}
          description={t("lateHint")}
          min={0}
          max={480}
          allowDecimal={false}
          value={draft.maxLateMinutes}
          onChange={(maxLateMinutes) => onChange({ maxLateMinutes })}
        />
        {Number(draft.maxLateMinutes) > 0 ? (
          <NumberInput
            label={t("costPerLateMinute")}
            min={0}
            max={1_000_000}
            decimalScale={4}
            value={draft.costPerLateMinute}
            onChange={(costPerLateMinute) => onChange({ costPerLateMinute })}
          />
        ) : null}
      </Section>
      <Section title={t("load")}>
        <ManySelect
          label={t("constraints")}
          description={t("constraintsHint")}
          data={[...new Set([...known, ...draft.capacityConstraint])]}
          maxValues={10}
          value={draft.capacityConstraint}
          onChange={(capacityConstraint) => onChange({ capacityConstraint })}
        />
        <Select
          label={t("autoSplit")}
          allowDeselect={false}
          data={[
            { value: "none", label: t("split_none") },
            { value: "equal", label: t("split_equal") },
            { value: "maximize", label: t("split_maximize") },
          ]}
          value={draft.autoSplit}
          onChange={(value) => onChange({ autoSplit: value as ProfileDraft["autoSplit"] })}
        />
      </Section>
      <Section title={t("trips")}>
        <Checkbox
          label={t("returnToHub")}
          disabled={draft.multitrip}
          {...bindChecked(draft.returnToHub || draft.multitrip, (multitrip) =>
            onChange({ returnToHub: multitrip }),
          )}
        />
        {draft.returnToHub || draft.multitrip ? flag("returnAfterWorkingTime") : null}
        {flag("multitrip")}
        {draft.multitrip ? (
          <NumberInput
            label={t("numberOfMultitrip")}
            min={1}
            max={10}
            allowDecimal={false}
            value={draft.numberOfMultitrip}
            onChange={(numberOfMultitrip) => onChange({ numberOfMultitrip })}
          />
        ) : null}
        <Select
          label={t("multidayOption")}
          allowDeselect={false}
          data={[
            { value: "last visit", label: t("multiday_last") },
            { value: "from hub", label: t("multiday_hub") },
          ]}
          value={draft.multidayOption}
          onChange={(value) => onChange({ multidayOption: value as ProfileDraft["multidayOption"] })}
        />
      </Section>
      <Section title={t("sharing")}>
        <Select
          label={t("clustering")}
          allowDeselect={false}
          data={[
            { value: "none", label: t("clustering_none") },
            { value: "normal", label: t("clustering_normal") },
            { value: "balanced", label: t("clustering_balanced") },
            { value: "non-overlap", label: t("clustering_nonOverlap") },
          ]}
          value={draft.clustering}
          onChange={(value) => onChange({ clustering: value as ProfileDraft["clustering"] })}
        />
        <Select
          label={t("fairness")}
          allowDeselect={false}
          data={[
            { value: "none", label: t("fairness_none") },
            { value: "visits", label: t("fairness_visits") },
            { value: "hours", label: t("fairness_hours") },
          ]}
          value={draft.fairness}
          onChange={(value) => onChange({ fairness: value as ProfileDraft["fairness"] })}
        />
        <NumberInput
          label={t("reserveMinutes")}
          description={t("reserveHint")}
          min={0}
          max={480}
          allowDecimal={false}
          value={draft.reserveMinutes}
          onChange={(reserveMinutes) => onChange({ reserveMinutes })}
        />
        <NumberInput
          label={t("promiseMinutes")}
          description={t("promiseHint")}
          min={0}
          max={480}
          allowDecimal={false}
          value={draft.promiseMinutes}
          onChange={(promiseMinutes) => onChange({ promiseMinutes })}
        />
        {(["useAllVehicle", "autoMerge", "useVisitGroup"] as const).map(flag)}
      </Section>
      <Section title={t("roads")}>
        <Select
          label={t("roadProfile")}
          description={t("roadHint")}
          allowDeselect={false}
          data={[
            { value: "driving", label: t("road_driving") },
            { value: "cycling", label: t("road_cycling") },
            { value: "foot", label: t("road_foot") },
            // Other profiles of an installed road service are set through the API.
            ...(["driving", "cycling", "foot"].includes(draft.roadProfile)
              ? []
              : [{ value: draft.roadProfile, label: draft.roadProfile }]),
          ]}
          value={draft.roadProfile}
          onChange={(value) => onChange({ roadProfile: value ?? "driving" })}
        />
        {(["avoidToll", "useOddEven"] as const).map(flag)}
        {draft.useOddEven ? (
          <OddEvenHours spans={draft.oddEvenTime} onChange={(oddEvenTime) => onChange({ oddEvenTime })} />
        ) : null}
      </Section>
      <ProposalRule draft={draft} onChange={onChange} />
      {hubs.size > 1 ? (
        <Section title={t("docking")}>
          <Select
            label={t("crossDocking")}
            allowDeselect={false}
            data={[
              { value: "none", label: t("docking_none") },
              { value: "drop", label: t("docking_drop") },
              { value: "all", label: t("docking_all") },
            ]}
            value={draft.crossDockingType}
            onChange={(value) => onChange({ crossDockingType: value as ProfileDraft["crossDockingType"] })}
          />
          {draft.crossDockingType === "none" ? null : (
            <>
              <ManySelect
                label={t("subHubs")}
                required
                maxValues={10}
                data={[...hubs].filter(([id]) => id !== hubId).map(([value, label]) => ({ value, label }))}
                value={draft.subHubs}
                onChange={(subHubs) => onChange({ subHubs })}
              />
              <NumberInput
                label={t("subHubKilometers")}
                placeholder={t("noLimit")}
                min={1}
                value={draft.subHubKilometers}
                onChange={(subHubKilometers) => onChange({ subHubKilometers })}
              />
            </>
          )}
        </Section>
      ) : null}
      {areas.length > 0 ? (
        <Section title={t("areaChoice")}>
          <ManySelect
            label={t("areasUsed")}
            placeholder={draft.geoTagging === null ? t("areasAll") : ""}
            data={areas.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={draft.geoTagging ?? []}
            onChange={(chosen) => onChange({ geoTagging: chosen.length > 0 ? chosen : null })}
          />
        </Section>
      ) : null}
    </>
  )
}

/** When planning again during the day changes the plan without a person. */
function ProposalRule({ draft, onChange }: Pick<ProfileFieldsProps, "draft" | "onChange">) {
  const t = useMessages(profileMessages)
  const { acceptProposals } = draft
  return (
    <Section title={t("duringTheDay")}>
      <Checkbox
        label={t("acceptProposals")}
        description={acceptProposals ? t("acceptHint") : undefined}
        {...bindChecked(acceptProposals !== null, (checked) =>
          onChange({ acceptProposals: checked ? { ...noChanges } : null }),
        )}
      />
      {acceptProposals
        ? proposalLimits.map((name) => (
            <NumberInput
              key={name}
              label={t(`limit_${name}`)}
              min={0}
              max={2000}
              allowDecimal={false}
              value={acceptProposals[name]}
              onChange={(value) => onChange({ acceptProposals: { ...acceptProposals, [name]: value } })}
            />
          ))
        : null}
    </Section>
  )
}

type FlagName =
  | "autoSpeed"
  | "returnAfterWorkingTime"
  | "multitrip"
  | "useAllVehicle"
  | "autoMerge"
  | "useVisitGroup"
  | "avoidToll"
  | "useOddEven"

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="bare-fieldset profile-section">
      <legend className="panel-heading">{title}</legend>
      {children}
    </fieldset>
  )
}

type Spans = ProfileDraft["oddEvenTime"]

function OddEvenHours({ spans, onChange }: { spans: Spans; onChange(spans: Spans): void }) {
  const t = useMessages(profileMessages)
  const edit = (index: number, part: Partial<Spans[number]>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...part } : span)))
  return (
    <>
      {spans.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity of their own
        <Group key={index} gap="xs" align="end" wrap="nowrap">
          {(["startTime", "endTime"] as const).map((end) => (
            <DateTimeInput
              key={end}
              type="time"
              required
              withAsterisk={false}
              label={t(end === "startTime" ? "oddEvenFrom" : "oddEvenTo")}
              {...bindText(span[end].slice(0, 5), (text) => edit(index, { [end]: text }))}
            />
          ))}
          <IconButton
            icon={IconTrash}
            label={t("removeSpan")}
            size="lg"
            onClick={() => onChange(spans.toSpliced(index, 1))}
          />
        </Group>
      ))}
      <ActionButton
        icon={IconPlus}
        label={t("addSpan")}
        variant="light"
        size="xs"
        style={{ alignSelf: "flex-start" }}
        disabled={spans.length >= 10}
        onClick={() => onChange([...spans, { startTime: "06:00", endTime: "10:00" }])}
      />
    </>
  )
}
