import "../../../../ui/StatusBadge.css"
import { lazy, useMemo } from "react"
import { isTaskOutcome } from "#shared/task-outcomes.ts"
import { isTaskPriority } from "#shared/task-priorities.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { parseTime, useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { StatusBadge } from "../../../../ui/StatusBadge.tsx"
import { EditableCell } from "../../../../ui/tables/EditableCell.tsx"
import { tableMessages } from "../../../../ui/tables/table-messages.ts"
import type { Column } from "../../../../ui/tables/VirtualGrid.tsx"
import type { Flow } from "../../flows/flows.queries.ts"
import { outcomeMessages } from "../../outcome-messages.ts"
import { useExpectedArrival } from "../expected-arrival.ts"
import { labelMessages } from "../label-messages.ts"
import { taskMessages } from "../messages.ts"
import type { ListedTask } from "../tasks.queries.ts"
import type { CellField } from "./CellForm.tsx"
import { componentColumns, componentsOfColumn, groupFieldOf } from "./component-columns.ts"

const CellForm = lazy(() => import("./CellForm.tsx"))

export interface TaskColumnOptions {
  flows: readonly Flow[]
  /** Names of people by e-mail and of hubs by id. */
  people: ReadonlyMap<string, string>
  hubs: ReadonlyMap<string, string>
  isNarrow: boolean
}

/** The columns of the task table, from the most to the least telling; a phone shows the first three. */
export function useTaskColumns({ flows, people, hubs, isNarrow }: TaskColumnOptions): Column<ListedTask>[] {
  const t = useMessages(taskMessages)
  const tOutcome = useMessages(outcomeMessages)
  const tLabel = useMessages(labelMessages)
  const tTable = useMessages(tableMessages)
  const formats = useFormats()
  const arrivalOf = useExpectedArrival()
  const { may } = useSession()
  return useMemo(() => {
    const editable = (column: Column<ListedTask>, { components }: Pick<CellField, "components"> = {}) => {
      const field = { field: groupFieldOf(column.id) ?? column.id, title: column.title, components }
      const isChangeable = (task: ListedTask) =>
        task.status !== "DONE" && components?.has(task.flowId) !== false
      if (!may("edit/task")) return column
      return {
        ...column,
        render: (task: ListedTask) =>
          isChangeable(task) ? (
            <EditableCell
              key={task._id}
              form={(close) => <CellForm task={task} field={field} onClose={close} />}
              hint={tTable("changeOne", { field: column.title, name: task.title ?? t("untitled") })}
            >
              {column.render(task)}
            </EditableCell>
          ) : (
            column.render(task)
          ),
      }
    }
    const title: Column<ListedTask> = {
      id: "task",
      title: t("task"),
      sort: "title",
      width: isNarrow ? "minmax(120px, 1fr)" : "minmax(226px, 2.4fr)",
      render: (task) => (
        <div className="truncate" dir="auto">
          <span style={{ fontWeight: 550 }}>{task.title ?? t("untitled")}</span>
          {task.content && !isNarrow ? <span className="quiet"> · {task.content}</span> : null}
        </div>
      ),
    }
    const status: Column<ListedTask> = {
      id: "status",
      title: t("status"),
      sort: "status",
      width: "130px",
      render: (task) => <StatusBadge status={task.status} label={t(task.status)} />,
    }
    const assignee: Column<ListedTask> = {
      id: "assignee",
      title: t("assignee"),
      sort: "assignee.name",
      width: isNarrow ? "98px" : "minmax(140px, 1fr)",
      render: (task) =>
        task.assignee.length > 0 ? (
          formats.list(task.assignee.map((email) => people.get(email) ?? email))
        ) : (
          <span className="quiet">–</span>
        ),
    }
    if (isNarrow) return [title, { ...status, width: "124px" }, assignee]
    const plain = (id: "flow" | "refId", name: string, width: string): Column<ListedTask> => ({
      id,
      title: name,
      sort: id,
      width,
      render: (task) => <span className="quiet">{task[id] ?? "–"}</span>,
    })
    const time = (id: "startTime" | "endTime" | "doneTime", name: string): Column<ListedTask> => ({
      id,
      title: name,
      width: "140px",
      sort: id,
      render: (task) =>
        id === "endTime" && isOverdue(task) ? (
          <span className="overdue" title={t("overdue")}>
            {formats.dateTime(task.endTime)}
          </span>
        ) : (
          <span className="quiet">{formats.dateTime(task[id])}</span>
        ),
    })
    const hub: Column<ListedTask> = {
      id: "hub",
      title: t("hub"),
      sort: "hub.name",
      width: "minmax(124px, 0.8fr)",
      render: (task) => <span className="quiet">{hubs.get(task.hubId) ?? "–"}</span>,
    }
    const outcome: Column<ListedTask> = {
      id: "outcome",
      title: tOutcome("outcome"),
      sort: "outcome",
      width: "minmax(150px, 1fr)",
      render: (task) => <OutcomeCell task={task} />,
    }
    const expected: Column<ListedTask> = {
      id: "expected",
      title: t("expected"),
      width: "140px",
      render: (task) => {
        const arrival = arrivalOf(task)
        return <span className={arrival?.isLate ? "overdue" : "quiet"}>{arrival?.text ?? "–"}</span>
      },
    }
    const priority: Column<ListedTask> = {
      id: "priority",
      title: tLabel("priority"),
      sort: "priority",
      width: "100px",
      render: ({ priority: level }) =>
        isTaskPriority(level) ? (
          <span className={level === "urgent" ? "overdue" : undefined}>{tLabel(level)}</span>
        ) : (
          <span className="quiet">–</span>
        ),
    }
    const tags: Column<ListedTask> = {
      id: "tags",
      title: tLabel("tags"),
      sort: "tags",
      width: "minmax(110px, 0.8fr)",
      render: ({ tags: own }) => (
        <span className="quiet">{Array.isArray(own) ? formats.list(own) : "–"}</span>
      ),
    }
    return [
      title,
      status,
      outcome,
      editable(priority),
      editable(tags),
      may("assign/task") ? editable(assignee) : assignee,
      ...(hubs.size > 1 ? [may("move/task") ? editable(hub) : hub] : []),
      plain("flow", t("flow"), "minmax(100px, 0.8fr)"),
      editable(time("startTime", t("start"))),
      editable(time("endTime", t("end"))),
      expected,
      time("doneTime", t("done")),
      ...componentColumns(flows, formats).map((column) =>
        editable(column, { components: componentsOfColumn(flows, column.id) }),
      ),
    ]
  }, [t, tOutcome, tLabel, tTable, formats, arrivalOf, flows, people, hubs, isNarrow, may])
}

/** The outcome with its reason, and what a supervisor should know of it. */
function OutcomeCell({ task }: { task: ListedTask }) {
  const t = useMessages(outcomeMessages)
  const { outcome, outcomeReason, isLate, needsReview } = task
  const marks = [...(isLate === true ? [t("late")] : []), ...(needsReview === true ? [t("toReview")] : [])]
  if (!isTaskOutcome(outcome) && marks.length === 0) return <span className="quiet">–</span>
  return (
    <>
      {isTaskOutcome(outcome) ? (
        <span
          className={outcome === "done" ? "quiet" : undefined}
          title={typeof outcomeReason === "string" ? outcomeReason : undefined}
        >
          {t(outcome)}
        </span>
      ) : null}
      {marks.length > 0 ? <span className="overdue"> {marks.join(" · ")}</span> : null}
    </>
  )
}

export function isOverdue(task: { status: TaskStatus; endTime: string }): boolean {
  const end = parseTime(task.endTime)
  return task.status !== "DONE" && end !== undefined && end.getTime() < Date.now()
}
