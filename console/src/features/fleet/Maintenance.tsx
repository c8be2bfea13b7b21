import { Button, Group } from "@mantine/core"
import { IconCheck, IconNotes, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { ActionButton, IconButton } from "../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { DueState } from "./DueState.tsx"
import { EntryDialog } from "./EntryDialog.tsx"
import {
  deleteEntry,
  deletePlan,
  entriesQuery,
  type Plan,
  plansQuery,
  type Subject,
} from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { PlanDialog } from "./PlanDialog.tsx"

const refreshes = [["vehicles"]]

/** The plans of a vehicle or piece of equipment, and the log of what was done. */
export function Maintenance({ subject }: { subject: Subject }) {
  const t = useMessages(fleetMessages)
  const { may } = useSession()
  const mayEdit = may("edit/vehicle")
  const [edited, setEdited] = useState<Plan | "new">()
  const [done, setDone] = useState<Plan | "other">()
  const [removed, setRemoved] = useState<Plan>()
  const { data: plans = [], error, isSuccess } = useQuery(plansQuery(subject))
  const remove = useAction((plan: Plan) => deletePlan(plan._id), { refreshes })
  return (
    <>
      <section className="fleet-section">
        <header>
          <h2>{t("plans")}</h2>
          {mayEdit ? (
            <ActionButton
              icon={IconPlus}
              label={t("newPlan")}
              variant="default"
              onClick={() => setEdited("new")}
            />
          ) : null}
        </header>
        <FormError error={error ?? remove.error} />
        {isSuccess && plans.length === 0 ? (
          <p className="quiet">{t("noPlans")}</p>
        ) : (
          <PlanTable plans={plans} onEdit={setEdited} onDone={setDone} onRemove={setRemoved} />
        )}
      </section>
      <Log subject={subject} onAdd={() => setDone("other")} />
      {edited ? (
        <PlanDialog
          plan={edited === "new" ? undefined : edited}
          subject={subject}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {done ? (
        <EntryDialog
          plan={done === "other" ? undefined : done}
          subject={subject}
          onClose={() => setDone(undefined)}
        />
      ) : null}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={t("delete")}
        text={t("deleteText", { name: removed?.name ?? "" })}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => removed && remove.mutate(removed)}
        onClose={() => setRemoved(undefined)}
      />
    </>
  )
}

interface PlanTableProps {
  plans: readonly Plan[]
  onEdit(plan: Plan): void
  onDone(plan: Plan): void
  onRemove(plan: Plan): void
}

function PlanTable({ plans, onEdit, onDone, onRemove }: PlanTableProps) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const { may } = useSession()
  const amounts = (kilometers: number | null, hours: number | null, days: number | null) =>
    [
      kilometers === null ? "" : formats.distance(kilometers * 1000),
      hours === null ? "" : t("hours", { hours: formats.number(hours) }),
      days === null ? "" : t("leftDays", { count: days }),
    ]
      .filter(Boolean)
      .join(" · ")
  return (
    <DataTable
      rows={plans}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("name"),
          kind: "name",
          cell: ({ name, taskId, taskProblem }) => (
            <>
              {name}
              {taskId ? (
                <div>
                  <Link to={paths.tasks} search={{ task: taskId }}>
                    {t("openTask")}
                  </Link>
                </div>
              ) : null}
              {taskProblem ? <div className="quiet">{taskProblem}</div> : null}
            </>
          ),
        },
        {
          title: t("state"),
          cell: ({ state, isActive }) =>
            isActive ? <DueState state={state} /> : <span className="quiet">{t("off")}</span>,
        },
        {
          title: t("left"),
          from: "sm",
          cell: ({ leftKilometers, leftHours, leftDays }) => amounts(leftKilometers, leftHours, leftDays),
        },
        {
          title: t("interval"),
          from: "md",
          kind: "quiet",
          cell: ({ everyKilometers, everyHours, everyDays }) =>
            amounts(everyKilometers, everyHours, everyDays),
        },
        { title: t("lastDone"), from: "md", kind: "quiet", cell: ({ doneOn }) => formats.day(doneOn) },
        may("edit/vehicle") && {
          title: t("edit"),
          kind: "actions",
          cell: (plan) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconCheck size={14} aria-hidden />}
                aria-label={`${t("done")}: ${plan.name}`}
                onClick={() => onDone(plan)}
              >
                <span className="from-sm-inline">{t("done")}</span>
              </Button>
              <IconButton
                icon={IconPencil}
                label={`${t("edit")}: ${plan.name}`}
                onClick={() => onEdit(plan)}
              />
              <IconButton
                icon={IconTrash}
                label={`${t("delete")}: ${plan.name}`}
                onClick={() => onRemove(plan)}
              />
            </Group>
          ),
        },
      ]}
    />
  )
}

function Log({ subject, onAdd }: { subject: Subject; onAdd(): void }) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const { may } = useSession()
  const { data: entries = [], error, isSuccess } = useQuery(entriesQuery(subject))
  const remove = useAction(deleteEntry, { refreshes })
  return (
    <section className="fleet-section">
      <header>
        <h2>{t("log")}</h2>
        {may("edit/vehicle") ? (
          <ActionButton icon={IconNotes} label={t("logWork")} variant="default" onClick={onAdd} />
        ) : null}
      </header>
      <FormError error={error ?? remove.error} />
      {isSuccess && entries.length === 0 ? (
        <p className="quiet">{t("noLog")}</p>
      ) : (
        <DataTable
          rows={entries}
          keyOf={({ _id }) => _id}
          columns={[
            { title: t("doneOn"), cell: ({ doneOn }) => formats.day(doneOn) },
            {
              title: t("name"),
              kind: "name",
              cell: ({ name, note }) => (
                <>
                  {name}
                  {note ? <div className="quiet">{note}</div> : null}
                </>
              ),
            },
            "vehicleId" in subject && {
              title: t("odometer"),
              from: "sm",
              kind: "number",
              cell: ({ odometerKilometers }) =>
                odometerKilometers === null ? "–" : formats.distance(odometerKilometers * 1000),
            },
            {
              title: t("cost"),
              kind: "number",
              cell: ({ cost }) => (cost === null ? "–" : formats.amount(cost)),
            },
            { title: t("by"), from: "md", kind: "quiet", cell: ({ createdBy }) => createdBy },
            may("edit/vehicle") && {
              title: t("delete"),
              kind: "actions",
              cell: ({ _id, name }) => (
                <IconButton
                  icon={IconTrash}
                  label={`${t("delete")}: ${name}`}
                  onClick={() => remove.mutate(_id)}
                />
              ),
            },
          ]}
        />
      )}
    </section>
  )
}
