import { IconTransfer } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { movementsQuery, stockQuery } from "./fleet.queries.ts"
import { stockMessages } from "./fleet-messages.ts"
import { MovementDialog } from "./MovementDialog.tsx"

/** The parts in a vehicle, and where they went. */
export function Stock({ vehicleId }: { vehicleId: string }) {
  const t = useMessages(stockMessages)
  const formats = useFormats()
  const { may } = useSession()
  const [isMoving, setMoving] = useState(false)
  const { data: levels = [], error, isSuccess } = useQuery(stockQuery(vehicleId))
  const { data: movements = [] } = useQuery(movementsQuery(vehicleId))
  const amount = (quantity: number, unit: string | null) =>
    [formats.number(quantity), unit].filter(Boolean).join(" ")
  return (
    <section className="fleet-section">
      <header>
        <h2>{t("stock")}</h2>
        {may("edit/vehicle") ? (
          <ActionButton
            icon={IconTransfer}
            label={t("newMovement")}
            variant="default"
            onClick={() => setMoving(true)}
          />
        ) : null}
      </header>
      <FormError error={error} />
      {isSuccess && levels.length === 0 ? (
        <p className="quiet">{t("noStock")}</p>
      ) : (
        <DataTable
          rows={levels}
          keyOf={({ itemId }) => itemId}
          columns={[
            { title: t("part"), kind: "name", cell: ({ name }) => name },
            { title: t("code"), from: "sm", kind: "quiet", cell: ({ code }) => code },
            { title: t("quantity"), kind: "number", cell: ({ quantity, unit }) => amount(quantity, unit) },
          ]}
        />
      )}
      {movements.length > 0 ? (
        <details open={movements.some(({ missing }) => missing > 0) || undefined}>
          <summary className="panel-heading">{t("movements")}</summary>
          <DataTable
            rows={movements}
            keyOf={({ _id }) => _id}
            columns={[
              { title: t("time"), cell: ({ createdTime }) => formats.dateTime(createdTime) },
              {
                title: t("what"),
                cell: ({ kind, taskId, note }) => (
                  <>
                    {taskId ? (
                      <Link to={paths.tasks} search={{ task: taskId }}>
                        {t("use")}
                      </Link>
                    ) : (
                      t(kind as "receipt")
                    )}
                    {note ? <div className="quiet">{note}</div> : null}
                  </>
                ),
              },
              { title: t("part"), kind: "name", cell: ({ name }) => name },
              {
                title: t("quantity"),
                kind: "number",
                cell: ({ quantity, missing, unit }) => (
                  <>
                    {amount(quantity, unit)}
                    {missing > 0 ? (
                      <div className="due-state" data-state="overdue">
                        {t("missing", { quantity: amount(missing, unit) })}
                      </div>
                    ) : null}
                  </>
                ),
              },
              { title: t("from"), from: "md", kind: "quiet", cell: ({ fromName }) => fromName ?? "–" },
              { title: t("to"), from: "md", kind: "quiet", cell: ({ toName }) => toName ?? "–" },
              { title: t("by"), from: "md", kind: "quiet", cell: ({ createdBy }) => createdBy },
            ]}
          />
        </details>
      ) : null}
      {isMoving ? <MovementDialog vehicleId={vehicleId} onClose={() => setMoving(false)} /> : null}
    </section>
  )
}
