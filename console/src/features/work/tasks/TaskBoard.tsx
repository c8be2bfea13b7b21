import "../../../ui/tables/VirtualGrid.css"
import "./list/views.css"
import { Menu } from "@mantine/core"
import { IconDots } from "@tabler/icons-react"
import { useVirtualizer } from "@tanstack/react-virtual"
import { type DragEvent, useEffect, useMemo, useRef, useState } from "react"
import { type TaskStatus, taskMoves, taskStatuses } from "#shared/task-status.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { notifyFailed } from "../../../ui/notify.ts"
import { StatusBadge } from "../../../ui/StatusBadge.tsx"
import { useListWindow } from "../../../ui/tables/list-window.ts"
import { AssignDialog } from "./AssignDialog.tsx"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { TaskCardBody } from "./TaskCard.tsx"
import { moveToStatus } from "./task-actions.ts"
import { type ListedTask, taskPageQuery } from "./tasks.queries.ts"

export interface TaskBoardProps {
  query: Parameters<typeof taskPageQuery>[0]
  order: Parameters<typeof taskPageQuery>[2]
  people: ReadonlyMap<string, string>
  onOpen(taskId: string): void
}

/** One column for each status. A card moves by dragging or by its menu; rejections are shown. */
export default function TaskBoard({ query, order, people, onOpen }: TaskBoardProps) {
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const [dragged, setDragged] = useState<ListedTask>()
  const [assigning, setAssigning] = useState<ListedTask>()
  const titleOf = (task: ListedTask) => task.title ?? t("untitled")
  const move = useAction(
    ({ task, to }: { task: ListedTask; to: "UNASSIGNED" | "DONE" }) => moveToStatus(task, to),
    {
      refreshes: [["tasks"]],
      done: (_answer, { task, to }) => tView("moved", { title: titleOf(task), to: t(to).toLowerCase() }),
      failed: ({ task }) => titleOf(task),
    },
  )
  const moveTo = (task: ListedTask, to: TaskStatus) => {
    if (task.status === to) return
    const allowed: readonly TaskStatus[] = taskMoves[task.status]
    if (!allowed.includes(to)) {
      const words = { from: t(task.status).toLowerCase(), to: t(to).toLowerCase() }
      notifyFailed(titleOf(task), task.status === "DONE" ? tView("doneFixed") : tView("notAllowed", words))
    } else if (to === "ONGOING") setAssigning(task)
    else move.mutate({ task, to })
  }
  const wanted = taskStatuses.filter((status) => query.status === undefined || query.status === status)
  return (
    <div className="board">
      {wanted.map((status) => (
        <BoardColumn
          key={status}
          status={status}
          query={query}
          order={order}
          people={people}
          dragged={dragged}
          onDrag={setDragged}
          onMove={moveTo}
          onOpen={onOpen}
        />
      ))}
      {assigning ? (
        <AssignDialog
          taskIds={[assigning._id]}
          hubIds={[assigning.hubId]}
          onClose={() => setAssigning(undefined)}
          onDone={() => setAssigning(undefined)}
        />
      ) : null}
    </div>
  )
}

interface BoardColumnProps extends TaskBoardProps {
  status: TaskStatus
  dragged: ListedTask | undefined
  onDrag(task: ListedTask | undefined): void
  onMove(task: ListedTask, to: TaskStatus): void
}

/** Pixels of a card without an expected arrival; each card is measured when it is drawn. */
const cardHeight = 92

function BoardColumn(props: BoardColumnProps) {
  const { status, query, order, people, dragged, onDrag, onMove, onOpen } = props
  const formats = useFormats()
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const scroller = useRef<HTMLDivElement>(null)
  const ofStatus = useMemo(() => ({ ...query, status }), [query, status])
  const tasks = useListWindow((page) => taskPageQuery(ofStatus, page, order))
  const [isOver, setOver] = useState(false)
  const virtual = useVirtualizer({
    count: tasks.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  const { setRange } = tasks
  useEffect(() => setRange(from, to), [from, to, setRange])
  const over = (event: DragEvent) => {
    if (!dragged) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      className="board-column"
      data-over={isOver}
      aria-busy={tasks.isLoading}
      aria-label={t(status)}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={() => {
        setOver(false)
        if (dragged) onMove(dragged, status)
      }}
    >
      <header className="board-head">
        <StatusBadge status={status} label={t(status)} />
        <span className="quiet">{tasks.isLoading ? "" : formats.number(tasks.total)}</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div ref={scroller} className="board-scroll" tabIndex={0}>
        {!tasks.isLoading && tasks.total === 0 ? (
          <p className="quiet board-empty">{tView("columnEmpty")}</p>
        ) : null}
        <ul className="board-cards" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const task = tasks.rowAt(index)
            return (
              <li
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {task ? (
                  // biome-ignore lint/a11y/noStaticElementInteractions: its menu does by keyboard what dragging does
                  <div
                    className="task-card"
                    draggable
                    onDragStart={(event) => {
                      event.dataTransfer.setData("text/plain", task._id)
                      onDrag(task)
                    }}
                    onDragEnd={() => onDrag(undefined)}
                  >
                    <button type="button" className="task-card-open" onClick={() => onOpen(task._id)}>
                      <TaskCardBody task={task} people={people} />
                    </button>
                    <CardMenu task={task} onMove={onMove} />
                  </div>
                ) : (
                  <div className="task-card">
                    <div className="grid-skeleton" />
                  </div>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

function CardMenu({ task, onMove }: { task: ListedTask; onMove(task: ListedTask, to: TaskStatus): void }) {
  const t = useMessages(taskMessages)
  const tView = useMessages(viewMessages)
  const moves: readonly TaskStatus[] = taskMoves[task.status]
  if (moves.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton
          icon={IconDots}
          label={`${tView("moveTo")}: ${task.title ?? t("untitled")}`}
          size={26}
          className="task-card-menu"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{tView("moveTo")}</Menu.Label>
        {moves.map((to) => (
          <Menu.Item key={to} onClick={() => onMove(task, to)}>
            {t(to)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
