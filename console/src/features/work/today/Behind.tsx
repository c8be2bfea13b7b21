import "./today.css"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { dataQuery } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { taskListOf } from "../../insight/drill-down.ts"
import { todayMessages } from "./messages.ts"

const maxPeople = 6
const refreshMilliseconds = 60_000

/** People whose open work of today is expected to be late, those with the most first. */
export function Behind({ hub, today }: { hub: string | undefined; today: string }) {
  const t = useMessages(todayMessages)
  const { may } = useSession()
  const query = {
    metrics: "expectedLate,due",
    groupBy: "person",
    ...{ from: today, until: today },
    ...{ sortBy: "expectedLate", sortOrder: "desc", limit: maxPeople + 1 },
    ...(hub ? { hubId: hub } : {}),
  }
  const { data: report } = useQuery({
    ...dataQuery(["reports", query], "/api/v3/reports/figures", { query }),
    refetchInterval: refreshMilliseconds,
    enabled: may("view/dashboard") && may("view/task"),
  })
  const rows = report?.rows.filter(({ key, values }) => key.person && values.expectedLate) ?? []
  if (!report || rows.length === 0) return null
  return (
    <section className="card" aria-label={t("behind")}>
      <header className="card-header">
        <h2>{t("behind")}</h2>
        <Link
          to={paths.reports}
          search={{ report: "forecast", period: "today", groupBy: "person" }}
          className="quiet"
        >
          {t("show")}
        </Link>
      </header>
      <ul className="troubles">
        {rows.slice(0, maxPeople).map(({ key, labels, values, tasks }) => (
          <li key={key.person}>
            <span className="trouble-words">
              <Link to={paths.tasks} search={taskListOf(tasks.expectedLate ?? "", report.timeZone)}>
                {labels.person ?? key.person}
              </Link>
              <span className="quiet">
                {t("behindCount", { count: values.expectedLate ?? 0, due: values.due ?? 0 })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
