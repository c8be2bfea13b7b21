import { Group, NumberInput, Select, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { geofencesQuery } from "../../location/geofences/geofences.queries.ts"
import { alarms, useAlarmName } from "../../location/tracking/attribute-facts.ts"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { useHubNames } from "../../work/tasks/people.ts"
import { alertMessages } from "./alert-messages.ts"
import {
  type AlertKind,
  type AlertRule,
  alertKinds,
  type RuleInput,
  saveRule,
  vehicleNamesQuery,
} from "./alerts.queries.ts"
import { PeopleSelect } from "./PeopleSelect.tsx"

type Settings = RuleInput["settings"]
type Draft = Pick<RuleInput, "name" | "kind" | "settings"> & { hubId: string | null; isActive: boolean }

const everywhere = "everywhere"
const channels = ["notice", "email", "sms"] as const
const isOfGeofence = (kind: AlertKind) => kind === "enter" || kind === "exit" || kind === "dwell"
const isOfVehicle = (kind: AlertKind) => kind === "maintenance" || kind === "inspection"
const defaults: Partial<Record<AlertKind, Settings>> = {
  dwell: { minutes: 30 },
  speed: { kilometersPerHour: 100 },
  outsideHours: { from: "07:00", to: "19:00", weekdays: [1, 2, 3, 4, 5] },
  battery: { percent: 15 },
  late: { minutes: 0 },
  eta: { minutes: 0 },
}

/** What a rule watches, whom it watches, and whom it notifies. */
export function RuleDialog({ rule, onClose }: { rule: AlertRule | undefined; onClose(): void }) {
  const t = useMessages(alertMessages)
  const { user } = useSession()
  const hubs = useHubNames()
  const [draft, setDraft] = useState<Draft>(() =>
    rule
      ? (rule as Draft)
      : {
          ...{ name: "", kind: "speed", hubId: null, isActive: true },
          settings: {
            ...defaults.speed,
            recipients: [user._id] as Settings["recipients"] & string[],
            channels: ["notice"],
          },
        },
  )
  const change = (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part }))
  const set = (part: Settings) => change({ settings: { ...draft.settings, ...part } })
  const save = useAction(
    () => saveRule(rule?._id, { ...draft, hubId: draft.hubId as RuleInput["hubId"] & string }),
    {
      refreshes: [["alert-rules"], ["alerts"]],
      done: () => t("saved", { name: draft.name }),
      onDone: onClose,
    },
  )
  return (
    <FormDialog
      title={rule?.name ?? t("newRule")}
      history={rule && { objectType: "alert-rule", objectId: rule._id }}
      size="lg"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        {...bindText(draft.name, (name) => change({ name }))}
      />
      <Select
        label={t("kind")}
        allowDeselect={false}
        data={alertKinds.map((value) => ({ value, label: t(value) }))}
        value={draft.kind}
        onChange={(value) => {
          const kind = value as AlertKind
          change({ kind, settings: { ...defaults[kind], ...shared(draft.settings) } })
        }}
      />
      <Limits kind={draft.kind} settings={draft.settings} onChange={set} />
      <Select
        label={t("hub")}
        allowDeselect={false}
        data={[
          { value: everywhere, label: t("everywhere") },
          ...[...hubs].map(([value, label]) => ({ value, label })),
        ]}
        value={draft.hubId ?? everywhere}
        onChange={(value) => change({ hubId: value === everywhere ? null : value })}
      />
      <Scope kind={draft.kind} settings={draft.settings} onChange={set} />
      <Notification settings={draft.settings} onChange={set} />
    </FormDialog>
  )
}

/** What stays when the kind changes. */
function shared({
  teamIds,
  userIds,
  vehicleIds,
  recipients,
  channels: by,
  quietFrom,
  quietTo,
}: Settings): Settings {
  const kept = { teamIds, userIds, vehicleIds, recipients, channels: by, quietFrom, quietTo }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

interface PartProps {
  settings: Settings
  onChange(part: Settings): void
}

function Limits({ kind, settings, onChange }: PartProps & { kind: AlertKind }) {
  const t = useMessages(alertMessages)
  const { language } = useLanguage()
  const alarmName = useAlarmName()
  const number = (label: string, value: number, max: number, set: (value: number) => void, min = 1) => (
    <NumberInput
      label={label}
      min={min}
      max={max}
      value={value}
      onChange={(next) => set(Number(next) || min)}
    />
  )
  if (kind === "speed")
    return number(t("limitSpeed"), settings.kilometersPerHour ?? 100, 500, (kilometersPerHour) =>
      onChange({ kilometersPerHour }),
    )
  if (kind === "battery")
    return number(t("limitBattery"), settings.percent ?? 15, 99, (percent) => onChange({ percent }))
  if (kind === "dwell" || kind === "late" || kind === "eta")
    return number(t("minutes"), settings.minutes ?? 0, 10_080, (minutes) => onChange({ minutes }), 0)
  if (kind === "device")
    return (
      <ManySelect
        label={t("alarms")}
        placeholder={(settings.alarms ?? []).length === 0 ? t("allAlarms") : ""}
        data={alarms.map((value) => ({ value, label: alarmName(value) }))}
        value={settings.alarms ?? []}
        onChange={(chosen) => onChange({ alarms: chosen })}
      />
    )
  if (kind !== "outsideHours") return null
  const names = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" })
  return (
    <>
      <Group grow align="start">
        <DateTimeInput
          type="time"
          label={t("from")}
          {...bindText(settings.from ?? "", (from) => onChange({ from }))}
        />
        <DateTimeInput
          type="time"
          label={t("to")}
          {...bindText(settings.to ?? "", (to) => onChange({ to }))}
        />
      </Group>
      <ManySelect
        label={t("weekdays")}
        // The first of January 2024 was a Monday.
        data={[1, 2, 3, 4, 5, 6, 7].map((day) => ({
          value: String(day),
          label: names.format(Date.UTC(2024, 0, day)),
        }))}
        value={(settings.weekdays ?? []).map(String)}
        onChange={(days) => onChange({ weekdays: days.map(Number).sort() })}
      />
    </>
  )
}

function Scope({ kind, settings, onChange }: PartProps & { kind: AlertKind }) {
  const t = useMessages(alertMessages)
  const { may } = useSession()
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const { data: vehicles = [] } = useQuery({ ...vehicleNamesQuery, enabled: may("view/vehicle") })
  const { data: fences } = useQuery({ ...geofencesQuery(""), enabled: isOfGeofence(kind) })
  const options = (rows: readonly { _id: string; name: string }[]) =>
    rows.map(({ _id, name }) => ({ value: _id, label: name }))
  const choice = (label: string, empty: string, data: { value: string; label: string }[], key: ScopeKey) => (
    <ManySelect
      label={label}
      searchable
      placeholder={(settings[key] ?? []).length === 0 ? empty : ""}
      data={data}
      value={settings[key] ?? []}
      onChange={(ids) => onChange({ [key]: ids })}
    />
  )
  return (
    <>
      {isOfGeofence(kind)
        ? choice(t("geofences"), t("allGeofences"), options(fences?.geofences ?? []), "geofenceIds")
        : null}
      {isOfVehicle(kind) ? null : (
        <PeopleSelect
          label={t("people")}
          placeholder={t("everyone")}
          value={settings.userIds ?? []}
          onChange={(userIds) => onChange({ userIds: userIds as NonNullable<Settings["userIds"]> })}
        />
      )}
      {teams.length > 0 && !isOfVehicle(kind)
        ? choice(t("teams"), t("everyone"), options(teams), "teamIds")
        : null}
      {vehicles.length > 0
        ? choice(
            t(isOfVehicle(kind) ? "onlyVehicles" : "vehicles"),
            t("everyone"),
            options(vehicles),
            "vehicleIds",
          )
        : null}
    </>
  )
}
type ScopeKey = "geofenceIds" | "teamIds" | "vehicleIds"

function Notification({ settings, onChange }: PartProps) {
  const t = useMessages(alertMessages)
  return (
    <>
      <PeopleSelect
        label={t("recipients")}
        value={settings.recipients ?? []}
        onChange={(ids) => onChange({ recipients: ids as NonNullable<Settings["recipients"]> })}
      />
      <ManySelect
        label={t("channels")}
        description={t("webhookHint")}
        data={channels.map((value) => ({ value, label: t(value) }))}
        value={settings.channels ?? []}
        onChange={(values) => onChange({ channels: values as (typeof channels)[number][] })}
      />
      <Group grow align="flex-end">
        <DateTimeInput
          type="time"
          label={t("quietFrom")}
          description={t("quietHint")}
          {...bindText(settings.quietFrom ?? "", (from) => onChange(quiet(from, settings.quietTo)))}
        />
        <DateTimeInput
          type="time"
          label={t("quietTo")}
          {...bindText(settings.quietTo ?? "", (to) => onChange(quiet(settings.quietFrom, to)))}
        />
      </Group>
    </>
  )
}

const quiet = (from: string | undefined, to: string | undefined): Settings => ({
  ...(from ? { quietFrom: from } : {}),
  ...(to ? { quietTo: to } : {}),
})
