import { Textarea } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { usePeopleNames } from "../work/tasks/people.ts"
import { type Defect, defectsQuery, resolveDefect } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"

/** What inspections before departure found. */
export function Defects({ vehicleId }: { vehicleId: string }) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const people = usePeopleNames()
  const { may } = useSession()
  const [resolved, setResolved] = useState<Defect>()
  const { data: defects = [], error, isSuccess } = useQuery(defectsQuery(vehicleId))
  return (
    <section className="fleet-section">
      <header>
        <h2>{t("defects")}</h2>
      </header>
      <FormError error={error} />
      {isSuccess && defects.length === 0 ? (
        <p className="quiet">{t("noDefects")}</p>
      ) : (
        <DataTable
          rows={defects}
          keyOf={({ _id }) => _id}
          columns={[
            {
              title: t("finding"),
              kind: "name",
              cell: ({ name, value, taskId, note }) => (
                <>
                  <Link to={paths.tasks} search={{ task: taskId }}>
                    {name}: {value}
                  </Link>
                  {note ? <div className="quiet">{note}</div> : null}
                </>
              ),
            },
            {
              title: t("found"),
              from: "sm",
              kind: "quiet",
              cell: ({ foundTime, foundBy }) => (
                <>
                  {formats.dateTime(foundTime)}
                  <div>{people.get(foundBy) ?? foundBy}</div>
                </>
              ),
            },
            {
              title: t("state"),
              cell: (defect) =>
                defect.resolvedBy !== null ? (
                  <span className="quiet">
                    {t("resolvedBy", { by: people.get(defect.resolvedBy) ?? defect.resolvedBy })}
                  </span>
                ) : may("edit/vehicle") ? (
                  <RowButton label={t("resolve")} of={defect.name} onClick={() => setResolved(defect)} />
                ) : null,
            },
          ]}
        />
      )}
      {resolved ? <ResolveDialog defect={resolved} onClose={() => setResolved(undefined)} /> : null}
    </section>
  )
}

function ResolveDialog({ defect, onClose }: { defect: Defect; onClose(): void }) {
  const t = useMessages(fleetMessages)
  const [note, setNote] = useState("")
  const save = useAction(() => resolveDefect(defect._id, note), {
    refreshes: [["vehicles"], ["alerts"]],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`${defect.name}: ${defect.value}`}
      submit={t("resolve")}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Textarea
        label={t("note")}
        description={t("resolveText")}
        autosize
        maxLength={2_000}
        data-autofocus
        {...bindText(note, setNote)}
      />
    </FormDialog>
  )
}
