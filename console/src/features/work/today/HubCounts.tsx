import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import type { Hub } from "../../organization/hubs/hubs.queries.ts"
import { taskCountQuery } from "../tasks/tasks.queries.ts"
import { todayMessages } from "./messages.ts"

const maxHubs = 8
const statuses = ["UNASSIGNED", "ONGOING"] as const

/** Open work of each hub; the server maintains the counts, so this is cheap. */
export function HubCounts({ hubs }: { hubs: readonly Hub[] }) {
  const t = useMessages(todayMessages)
  const formats = useFormats()
  const shown = hubs.slice(0, maxHubs)
  const counts = useQueries({
    queries: shown.flatMap((hub) => statuses.map((status) => taskCountQuery({ hubId: hub._id, status }))),
  })
  const countOf = (hub: number, status: number) => {
    const count = counts[hub * statuses.length + status]?.data
    return count === undefined ? "–" : formats.number(count)
  }
  return (
    <section className="card" aria-label={t("byHub")}>
      <header className="card-header">
        <h2>{t("byHub")}</h2>
      </header>
      <DataTable
        rows={shown}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("hub"),
            cell: (hub) => (
              <Link to={paths.tasks} search={{ hub: hub._id }} className="row-link">
                {hub.name}
              </Link>
            ),
          },
          { title: t("unassigned"), kind: "number", cell: (_hub, index) => countOf(index, 0) },
          { title: t("ongoing"), kind: "number", cell: (_hub, index) => countOf(index, 1) },
        ]}
      />
    </section>
  )
}
