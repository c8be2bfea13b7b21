import "./fleet.css"
import { IconArrowLeft, IconPencil, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import type { PageLoader } from "../../page-loader.ts"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { QrCode } from "../../ui/QrCode.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { useHubNames, usePeopleNames } from "../work/tasks/people.ts"
import { EquipmentDialog } from "./EquipmentDialog.tsx"
import { deleteEquipment, type Equipment, equipmentQuery, equipmentTasksQuery } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { Maintenance } from "./Maintenance.tsx"

export const loader: PageLoader = ({ client, params: { equipmentId = "" } }) =>
  client.ensureQueryData(equipmentQuery(equipmentId))

/** A piece of equipment: its label, its due work and what was done at it. */
export function EquipmentPage() {
  const t = useMessages(fleetMessages)
  const { equipmentId } = useParams({ from: "/signed-in/fleet/equipment/$equipmentId" })
  const navigate = useNavigate()
  const { may } = useSession()
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { data: equipment, error } = useQuery(equipmentQuery(equipmentId))
  const remove = useAction(deleteEquipment, {
    refreshes: [["vehicles", "equipment"]],
    onDone: () => navigate({ to: paths.fleet }),
  })
  return (
    <div className="page">
      <PageHeader title={equipment?.name ?? ""} detail={equipment?.kind}>
        <ActionButton
          icon={IconArrowLeft}
          label={t("back")}
          variant="default"
          component={Link}
          to={paths.fleet}
        />
        {equipment && may("edit/vehicle") ? (
          <ActionButton
            icon={IconPencil}
            label={t("edit")}
            variant="default"
            onClick={() => setEditing(true)}
          />
        ) : null}
        {equipment && may("delete/vehicle") ? (
          <ActionButton
            icon={IconTrash}
            label={t("delete")}
            variant="default"
            onClick={() => setDeleting(true)}
          />
        ) : null}
      </PageHeader>
      <div className="page-body">
        <FormError error={error ?? remove.error} />
        {equipment ? <Facts equipment={equipment} /> : null}
        <Maintenance subject={{ equipmentId }} />
        <History equipmentId={equipmentId} />
      </div>
      {isEditing ? <EquipmentDialog equipment={equipment} onClose={() => setEditing(false)} /> : null}
      <ConfirmDialog
        isOpen={isDeleting}
        title={t("delete")}
        text={t("deleteText", { name: equipment?.name ?? "" })}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => remove.mutate(equipmentId)}
        onClose={() => setDeleting(false)}
      />
    </div>
  )
}

function Facts({ equipment }: { equipment: Equipment }) {
  const t = useMessages(fleetMessages)
  const hubs = useHubNames()
  const facts = [
    [t("code"), equipment.code],
    [t("customer"), equipment.customer],
    [t("address"), equipment.address],
    [t("hub"), hubs.get(equipment.hubId)],
    [t("note"), equipment.note],
  ]
  return (
    <div style={{ display: "flex", gap: 24, flexWrap: "wrap", alignItems: "center" }}>
      <QrCode text={equipment.code} label={t("label", { name: equipment.name })} size={132} />
      <dl className="fleet-facts" style={{ flex: 1, minWidth: 200 }}>
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </div>
  )
}

function History({ equipmentId }: { equipmentId: string }) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const people = usePeopleNames()
  const { data: tasks = [], error, isSuccess } = useQuery(equipmentTasksQuery(equipmentId))
  return (
    <section className="fleet-section">
      <header>
        <h2>{t("history")}</h2>
      </header>
      <FormError error={error} />
      {isSuccess && tasks.length === 0 ? (
        <p className="quiet">{t("noHistory")}</p>
      ) : (
        <DataTable
          rows={tasks}
          keyOf={({ taskId }) => taskId}
          columns={[
            { title: t("time"), cell: ({ doneTime }) => formats.dateTime(doneTime) },
            {
              title: t("task"),
              kind: "name",
              cell: ({ taskId, title, flow }) => (
                <>
                  <Link to={paths.tasks} search={{ task: taskId }}>
                    {title ?? flow}
                  </Link>
                  <div className="quiet">{flow}</div>
                </>
              ),
            },
            {
              title: t("by"),
              from: "sm",
              kind: "quiet",
              cell: ({ doneBy }) => (doneBy ? (people.get(doneBy) ?? doneBy) : "–"),
            },
          ]}
        />
      )}
    </section>
  )
}
