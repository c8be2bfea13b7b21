import "./today.css"
import { useQuery } from "@tanstack/react-query"
import { server } from "../../../api/server.ts"
import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { maxAtOnce, type taskCountQuery } from "../tasks/tasks.queries.ts"
import { todayMessages } from "./messages.ts"

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** How many tasks were finished in each hour of the day, in the organization's time. */
export function FinishedByHour({
  query,
  timeZone,
}: {
  query: Parameters<typeof taskCountQuery>[0]
  timeZone: string
}) {
  const t = useMessages(todayMessages)
  const formats = useFormats()
  const options = { ...query, limit: maxAtOnce, fields: "doneTime" }
  const { data } = useQuery({
    queryKey: ["tasks", "done-times", options],
    queryFn: async ({ signal }) => (await server.get("/api/v3/tasks", { query: options, signal })).tasks.data,
  })
  const counts = hours.map(() => 0)
  for (const task of data ?? []) {
    const at = parseTime(task.doneTime as string | undefined)
    if (!at) continue
    const hour = Number(localOf(at, timeZone).slice(11, 13))
    counts[hour] = (counts[hour] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  return (
    <section className="card" aria-label={t("byHour")} aria-busy={data === undefined}>
      <header className="card-header">
        <h2>{t("byHour")}</h2>
      </header>
      <ol className="hours">
        {counts.map((count, hour) => {
          const label = `${String(hour).padStart(2, "0")}:00`
          return (
            <li
              key={label}
              className="hour"
              title={t("hourCount", { hour: label, count })}
              aria-label={t("hourCount", { hour: label, count })}
            >
              <span
                className="hour-bar"
                style={{ height: `${(100 * count) / most}%` }}
                data-empty={count === 0}
                data-count={count === 0 ? "" : formats.number(count)}
              />
              <span className="hour-label" aria-hidden>
                {hour % 6 === 0 ? hour : ""}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
