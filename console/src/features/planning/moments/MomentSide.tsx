import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import type { Moment } from "./moment.queries.ts"
import { momentMessages } from "./moment-messages.ts"

/** The moment in words: counts, and each person's tasks in their planned order. */
export function MomentSide({ moment }: { moment: Moment }) {
  const t = useMessages(momentMessages)
  const formats = useFormats()
  const names = usePeopleNames()
  const { people, tasks, routes, messages, isPart } = moment
  const titles = new Map(tasks.map(({ _id, title }) => [_id, title ?? _id]))
  const unassigned = tasks.filter(({ status, assignee }) => status !== "DONE" && assignee.length === 0)
  if (people.length + tasks.length + messages.length === 0) return <p role="status">{t("nothing")}</p>
  const lists = [
    ...routes.map(({ email, taskIds }) => ({ name: names.get(email) ?? email, taskIds })),
    ...(unassigned.length > 0 ? [{ name: t("unassigned"), taskIds: unassigned.map(({ _id }) => _id) }] : []),
  ]
  return (
    <>
      <p role="status">
        {t("people", { count: people.length })} ·{" "}
        {t("tasks", { done: tasks.filter(({ status }) => status === "DONE").length, total: tasks.length })}
      </p>
      {isPart ? <p className="quiet">{t("isPart")}</p> : null}
      {lists.length > 0 ? <h2 className="panel-heading">{t("routes")}</h2> : null}
      {lists.map(({ name, taskIds }) => (
        <details key={name}>
          <summary>
            {name} ({taskIds.length})
          </summary>
          <ol>
            {taskIds.map((id) => (
              <li key={id}>{titles.get(id)}</li>
            ))}
          </ol>
        </details>
      ))}
      {messages.length > 0 ? <h2 className="panel-heading">{t("messages")}</h2> : null}
      {messages.map(({ _id, about, aboutId, authorName, text, createdTime }) => (
        <p key={_id} className="moment-message">
          <span className="quiet">
            {[formats.time(createdTime), authorName, about === "task" ? titles.get(aboutId) : undefined]
              .filter(Boolean)
              .join(" · ")}
          </span>
          <br />
          {text}
        </p>
      ))}
    </>
  )
}
