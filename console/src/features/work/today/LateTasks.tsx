import "./today.css"
import { IconMoodSmile } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { StatusBadge } from "../../../ui/StatusBadge.tsx"
import { isOverdue } from "../tasks/list/columns.tsx"
import { taskMessages } from "../tasks/messages.ts"
import { taskPageQuery } from "../tasks/tasks.queries.ts"
import { todayMessages } from "./messages.ts"

const maxShown = 12
const byDue = { sortBy: "endTime", sortOrder: "asc" } as const

export const lateTasksQuery = (own: { hubId?: string }) =>
  taskPageQuery({ ...own, status: "ONGOING,UNASSIGNED" }, 1, byDue)

/** Open tasks by their due time, the late ones first. */
export function LateTasks({ own, people }: { own: { hubId?: string }; people: ReadonlyMap<string, string> }) {
  const t = useMessages(todayMessages)
  const tTask = useMessages(taskMessages)
  const formats = useFormats()
  const { data } = useQuery(lateTasksQuery(own))
  const urgent = (data?.rows ?? [])
    .filter((task) => isOverdue(task) || task.status === "UNASSIGNED")
    .slice(0, maxShown)
  return (
    <section className="card" aria-label={t("attention")} aria-busy={data === undefined}>
      <header className="card-header">
        <h2>{t("attention")}</h2>
        <Link to={paths.tasks} search={{ sort: "endTime", order: "asc" }} className="quiet-link">
          {t("show")}
        </Link>
      </header>
      {data && urgent.length === 0 ? (
        <EmptyState icon={IconMoodSmile} title={t("calm")} text={t("calmText")} />
      ) : (
        <ul className="attention">
          {urgent.map((task) => (
            <li key={task._id}>
              <Link to={paths.tasks} search={{ task: task._id }}>
                <span className="truncate" dir="auto" style={{ fontWeight: 550 }}>
                  {task.title ?? tTask("untitled")}
                </span>
                <StatusBadge status={task.status} label={tTask(task.status)} />
                <span className="quiet truncate from-sm">
                  {formats.list(task.assignee.map((email) => people.get(email) ?? email)) || "–"}
                </span>
                <span className={isOverdue(task) ? "overdue" : "quiet"}>
                  {formats.dateTime(task.endTime)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
