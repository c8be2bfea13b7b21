import "./fleet.css"
import { NumberInput, Text, Textarea } from "@mantine/core"
import { IconArrowLeft, IconGauge } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import type { PageLoader } from "../../page-loader.ts"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { WithHistory } from "../../ui/history/WithHistory.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { usePeopleNames } from "../work/tasks/people.ts"
import { Defects } from "./Defects.tsx"
import { metersQuery, readingsQuery, saveReading, vehicleQuery } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { Maintenance } from "./Maintenance.tsx"
import { Stock } from "./Stock.tsx"

export const loader: PageLoader = ({ client, params: { vehicleId = "" } }) =>
  client.ensureQueryData(vehicleQuery(vehicleId))

/** The meters of a vehicle, and its maintenance. */
export function VehiclePage() {
  const t = useMessages(fleetMessages)
  const { vehicleId } = useParams({ from: "/signed-in/fleet/vehicle/$vehicleId" })
  const people = usePeopleNames()
  const { data: vehicle } = useSuspenseQuery(vehicleQuery(vehicleId))
  return (
    <div className="page">
      <PageHeader
        title={vehicle.name}
        detail={vehicle.assignee ? (people.get(vehicle.assignee) ?? vehicle.assignee) : null}
      >
        <ActionButton
          icon={IconArrowLeft}
          label={t("back")}
          variant="default"
          component={Link}
          to={paths.fleet}
        />
      </PageHeader>
      <div className="page-body">
        <WithHistory of={{ objectType: "vehicle", objectId: vehicleId }}>
          <Meters vehicleId={vehicleId} />
          <Defects vehicleId={vehicleId} />
          <Maintenance subject={{ vehicleId }} />
          <Stock vehicleId={vehicleId} />
        </WithHistory>
      </div>
    </div>
  )
}

function Meters({ vehicleId }: { vehicleId: string }) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const { may } = useSession()
  const [isCorrecting, setCorrecting] = useState(false)
  const { data: meters, error } = useQuery(metersQuery(vehicleId))
  const { data: readings = [] } = useQuery(readingsQuery(vehicleId))
  const pair = (kilometers: number | null, hours: number | null) =>
    [
      kilometers === null ? "" : formats.distance(kilometers * 1000),
      hours === null ? "" : t("hours", { hours: formats.number(hours) }),
    ]
      .filter(Boolean)
      .join(" · ")
  return (
    <section className="fleet-section">
      <header>
        <h2>{t("meters")}</h2>
        {may("edit/vehicle") ? (
          <ActionButton
            icon={IconGauge}
            label={t("correct")}
            variant="default"
            onClick={() => setCorrecting(true)}
          />
        ) : null}
      </header>
      <FormError error={error} />
      {meters ? (
        <>
          <dl className="fleet-facts">
            <div>
              <dt>{t("odometer")}</dt>
              <dd>{formats.distance(meters.odometerKilometers * 1000)}</dd>
            </div>
            <div>
              <dt>{t("engineHours")}</dt>
              <dd>{t("hours", { hours: formats.number(meters.engineHours) })}</dd>
            </div>
          </dl>
          <p className="quiet">
            {meters.countedTime === null
              ? t("notCounted")
              : t("countedAt", {
                  source: t(meters.source === "device" ? "byDevice" : "byTrack"),
                  time: formats.dateTime(meters.countedTime),
                })}
          </p>
        </>
      ) : null}
      {readings.length > 0 ? (
        <details>
          <summary className="panel-heading">{t("corrections")}</summary>
          <DataTable
            rows={readings}
            keyOf={({ _id }) => _id}
            columns={[
              { title: t("time"), cell: ({ createdTime }) => formats.dateTime(createdTime) },
              {
                title: t("before"),
                cell: ({ odometerBefore, engineHoursBefore }) => pair(odometerBefore, engineHoursBefore),
              },
              {
                title: t("after"),
                cell: ({ odometerAfter, engineHoursAfter }) => pair(odometerAfter, engineHoursAfter),
              },
              { title: t("note"), from: "sm", kind: "quiet", cell: ({ note }) => note ?? "" },
              { title: t("by"), from: "md", kind: "quiet", cell: ({ createdBy }) => createdBy },
            ]}
          />
        </details>
      ) : null}
      {isCorrecting ? <ReadingDialog vehicleId={vehicleId} onClose={() => setCorrecting(false)} /> : null}
    </section>
  )
}

function ReadingDialog({ vehicleId, onClose }: { vehicleId: string; onClose(): void }) {
  const t = useMessages(fleetMessages)
  const [odometer, setOdometer] = useState<string | number>("")
  const [hours, setHours] = useState<string | number>("")
  const [note, setNote] = useState("")
  const save = useAction(
    () =>
      saveReading(vehicleId, {
        ...(odometer === "" ? {} : { odometerKilometers: Number(odometer) }),
        ...(hours === "" ? {} : { engineHours: Number(hours) }),
        ...(note.trim() ? { note } : {}),
      }),
    { refreshes: [["vehicles"]], onDone: onClose },
  )
  return (
    <FormDialog title={t("correct")} request={save} onSubmit={() => save.mutate()} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t("correctHint")}
      </Text>
      <NumberInput
        label={t("odometerNow")}
        min={0}
        decimalScale={1}
        data-autofocus
        value={odometer}
        onChange={setOdometer}
      />
      <NumberInput label={t("hoursNow")} min={0} decimalScale={2} value={hours} onChange={setHours} />
      <Textarea label={t("note")} autosize maxLength={500} {...bindText(note, setNote)} />
    </FormDialog>
  )
}
