import { Button, Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useNow } from "../../../ui/now.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { type EditedTracker, TrackerDialog } from "./TrackerDialog.tsx"
import { TrackerLog } from "./TrackerLog.tsx"
import { trackerMessages } from "./tracker-messages.ts"
import {
  protocolTitles,
  removeTracker,
  type Tracker,
  trackersQuery,
  type UnknownTracker,
  unknownTrackersQuery,
} from "./trackers.queries.ts"

/** GPS trackers of the organization, and for the operator those that nobody has registered. */
export function Trackers() {
  const t = useMessages(trackerMessages)
  const { data } = useQuery(trackersQuery)
  const { data: unknown = [] } = useQuery({ ...unknownTrackersQuery, enabled: data?.maySeeUnknown === true })
  const [edited, setEdited] = useState<EditedTracker>()
  const ports = data?.ports.map(({ protocol, port }) => `${protocolTitles[protocol]} ${port}`).join(", ")
  return (
    <section aria-label={t("title")}>
      <h2 className="panel-heading device-heading">{t("title")}</h2>
      <div className="device-form">
        <p className="quiet">
          {t("text")} {ports === undefined ? null : ports === "" ? t("noPorts") : t("ports", { ports })}
        </p>
        <Group>
          <Button onClick={() => setEdited({})}>{t("register")}</Button>
        </Group>
      </div>
      {data ? <TrackerTable trackers={data.data} onEdit={setEdited} /> : null}
      {unknown.length > 0 ? <UnknownTable trackers={unknown} onRegister={setEdited} /> : null}
      {edited ? <TrackerDialog tracker={edited} onClose={() => setEdited(undefined)} /> : null}
    </section>
  )
}

function TrackerTable({
  trackers,
  onEdit,
}: {
  trackers: readonly Tracker[]
  onEdit(tracker: Tracker): void
}) {
  const t = useMessages(trackerMessages)
  const formats = useFormats()
  const now = useNow(10_000)
  const [logged, setLogged] = useState<Tracker>()
  const [removed, setRemoved] = useState<Tracker>()
  const remove = useAction(removeTracker, {
    refreshes: [["trackers"]],
    done: (_result, { name }) => t("removed", { name }),
  })
  if (trackers.length === 0) return <p className="quiet device-form">{t("empty")}</p>
  return (
    <>
      <FormError error={remove.error} />
      <DataTable
        rows={trackers}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            kind: "name",
            cell: (tracker) => (
              <>
                {tracker.name}
                <div className="quiet">
                  {tracker.imei} · {protocolTitles[tracker.protocol]}
                </div>
              </>
            ),
          },
          { title: t("person"), from: "sm", cell: (tracker) => tracker.userName },
          {
            title: t("lastContact"),
            kind: "quiet",
            cell: (tracker) => (
              <>
                {tracker.lastContactTime ? formats.ago(tracker.lastContactTime, now) : t("never")}
                {tracker.lastRefusal ? (
                  <div className="overdue">
                    {t("refused")}: {tracker.lastRefusal}
                  </div>
                ) : null}
              </>
            ),
          },
          {
            title: t("state"),
            from: "md",
            kind: "quiet",
            cell: (tracker) => <State {...tracker.attributes} />,
          },
          {
            title: t("edit"),
            kind: "actions",
            cell: (tracker) => (
              <Group gap={6} justify="flex-end">
                {[
                  { key: "messages" as const, run: () => setLogged(tracker) },
                  { key: "edit" as const, run: () => onEdit(tracker) },
                  { key: "remove" as const, run: () => setRemoved(tracker) },
                ].map(({ key, run }) => (
                  <RowButton key={key} label={t(key)} of={tracker.name} onClick={run} />
                ))}
              </Group>
            ),
          },
        ]}
      />
      {logged ? <TrackerLog tracker={logged} onClose={() => setLogged(undefined)} /> : null}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={t("removeTitle", { name: removed?.name ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onClose={() => setRemoved(undefined)}
        onConfirm={() => removed && remove.mutate(removed)}
      />
    </>
  )
}

/** What the device reported last. */
function State({
  ignition,
  batteryPercent,
  batteryVolts,
  externalVolts,
  fuelPercent,
}: Tracker["attributes"]) {
  const t = useMessages(trackerMessages)
  const formats = useFormats()
  const volts = (value: number) => `${formats.number(Number(value.toFixed(1)))} V`
  const battery =
    batteryPercent !== undefined
      ? `${formats.number(batteryPercent)} %`
      : batteryVolts !== undefined
        ? volts(batteryVolts)
        : undefined
  const parts = [
    ignition === undefined ? undefined : t(ignition ? "ignitionOn" : "ignitionOff"),
    battery,
    externalVolts === undefined ? undefined : volts(externalVolts),
    fuelPercent === undefined ? undefined : `${formats.number(fuelPercent)} %`,
  ]
  return parts.filter(Boolean).join(" · ")
}

function UnknownTable({
  trackers,
  onRegister,
}: {
  trackers: readonly UnknownTracker[]
  onRegister(tracker: EditedTracker): void
}) {
  const t = useMessages(trackerMessages)
  const formats = useFormats()
  const now = useNow(10_000)
  return (
    <section aria-label={t("unknown")}>
      <h3 className="panel-heading device-heading">{t("unknown")}</h3>
      <p className="quiet device-form">{t("unknownText")}</p>
      <DataTable
        rows={trackers}
        keyOf={({ imei }) => imei}
        columns={[
          { title: t("imei"), kind: "name", cell: ({ imei }) => imei },
          { title: t("protocol"), from: "sm", cell: ({ protocol }) => protocolTitles[protocol] },
          { title: t("address"), from: "sm", kind: "quiet", cell: ({ address }) => address },
          {
            title: t("lastContact"),
            kind: "quiet",
            cell: ({ lastContactTime }) => formats.ago(lastContactTime, now),
          },
          {
            title: t("registerUnknown"),
            kind: "actions",
            cell: ({ imei, protocol }) => (
              <RowButton
                label={t("registerUnknown")}
                of={imei}
                variant="filled"
                onClick={() => onRegister({ imei, protocol })}
              />
            ),
          },
        ]}
      />
    </section>
  )
}
