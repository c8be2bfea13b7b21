import { useQuery } from "@tanstack/react-query"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { taskValue } from "../../flows/fields/task-value.ts"
import { componentsOf, flowQuery } from "../../flows/flows.queries.ts"
import type { Task } from "../tasks.queries.ts"
import { ComponentValue } from "./ComponentValue.tsx"

const messages = defineMessages("work.taskAdditions", {
  also: "Also finished by {name}",
  correction: "Corrected by {name}",
  when: "Finished",
  empty: "Nothing was entered",
})

interface Addition {
  _id: string
  doneBy: string
  doneTime: string
  isCorrection?: boolean
  values: Record<string, unknown>
}

/** What others entered for a task that somebody had finished before them: nothing of it is lost. */
export function TaskAdditions({ task, people }: { task: Task; people: ReadonlyMap<string, string> }) {
  const t = useMessages(messages)
  const formats = useFormats()
  const additions = (Array.isArray(task.additions) ? task.additions : []) as Addition[]
  const { data: flow } = useQuery({ ...flowQuery(task.flowId), enabled: additions.length > 0 })
  return additions.map(({ _id, doneBy, doneTime, isCorrection, values }) => {
    const filled = (flow ? componentsOf(flow) : []).filter(
      (component) => (taskValue(values, component) ?? null) !== null,
    )
    const title = t(isCorrection ? "correction" : "also", { name: people.get(doneBy) ?? doneBy })
    return (
      <section key={_id} aria-label={title}>
        <h3 className="panel-heading">{title}</h3>
        <dl className="facts">
          <div>
            <dt>{t("when")}</dt>
            <dd>{formats.dateTime(doneTime)}</dd>
          </div>
          {filled.map((component) => (
            <div key={component.id}>
              <dt>{component.title ?? component.id}</dt>
              <dd>
                <ComponentValue
                  component={component}
                  value={taskValue(values, component)}
                  unit={values[`${component.id}_unit`]}
                />
              </dd>
            </div>
          ))}
        </dl>
        {flow && filled.length === 0 ? <p className="quiet">{t("empty")}</p> : null}
      </section>
    )
  })
}
