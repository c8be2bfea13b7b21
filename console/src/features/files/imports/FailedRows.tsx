import { Skeleton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { failedRowsQuery, type Import, maxFailedRows } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

/** Each rejected row with column, value and reason; the download contains all of them, to be corrected and uploaded again. */
export function FailedRows({ record }: { record: Import }) {
  const t = useMessages(importMessages)
  const { data } = useQuery({ ...failedRowsQuery(record._id), enabled: record.status !== "onprocess" })
  if (record.status === "onprocess") return null
  return (
    <section className="card" aria-label={t("refusedCount", { count: record.totalInvalid })}>
      <header className="card-header">
        <h2>{t("refusedCount", { count: record.totalInvalid })}</h2>
        <span className="quiet">
          {record.totalInvalid > maxFailedRows ? t("firstRows", { count: maxFailedRows }) : t("downloadHint")}
        </span>
      </header>
      {data ? (
        <div style={{ maxHeight: 480, overflow: "auto" }}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t("row")}</th>
                <th>{t("column")}</th>
                <th>{t("value")}</th>
                <th>{t("reason")}</th>
              </tr>
            </thead>
            <tbody>
              {data.data.data.flatMap((row) =>
                row.errors.map((problem) => (
                  <tr key={`${row.row}-${problem.column}`}>
                    <td>{row.row}</td>
                    <td>{problem.column}</td>
                    <td>
                      <code>{problem.value}</code>
                    </td>
                    <td>
                      {problem.reason}
                      {row.resolvedBy ? <span className="quiet"> · {t("resolved")}</span> : null}
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      ) : (
        <Skeleton h={120} />
      )}
    </section>
  )
}
