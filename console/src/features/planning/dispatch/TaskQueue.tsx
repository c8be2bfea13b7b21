import { SegmentedControl, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { useVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, type MouseEvent, memo, useId, useMemo, useRef, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { lateBy } from "./desk-rows.ts"
import { toggleSelected, useDesk, useDeskStore } from "./desk-store.ts"
import { type DeskText, spanText } from "./desk-text.ts"
import type { DayTask } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"
import { NextUnassigned } from "./NextUnassigned.tsx"
import type { Desk } from "./use-dispatch-day.ts"
import { pressOf, useDragStart } from "./use-drag.ts"

type Part = "unassigned" | "late" | "everything"

interface QueuedTask {
  task: DayTask
  /** Seconds; 0 in time. */
  late: number
}

const itemPixels = 54

/** What still needs the dispatcher: tasks of nobody, and those that are or will be late. Tasks are dragged from here. */
export function TaskQueue({ desk, text, onOpen }: { desk: Desk; text: DeskText; onOpen(id: string): void }) {
  const t = useMessages(dispatchMessages)
  const [part, setPart] = useState<Part>("unassigned")
  const [sought, setSought] = useState("")
  const queued = useMemo(() => queueOf(desk), [desk])
  const shown = useMemo(() => {
    const words = sought.trim().toLowerCase()
    return queued[part].filter(
      ({ task }) =>
        words === "" ||
        `${task.title} ${task.content ?? ""} ${task.refId ?? ""}`.toLowerCase().includes(words),
    )
  }, [queued, part, sought])
  return (
    <section className="desk-queue" aria-label={t("list")} data-drop-unassigned>
      <div className="desk-panel-head">
        <SegmentedControl
          size="xs"
          fullWidth
          style={{ flex: 1 }}
          aria-label={t("list")}
          value={part}
          onChange={(value) => setPart(value as Part)}
          data={(["unassigned", "late", "everything"] as const).map((value) => ({
            value,
            label: `${t(value)} ${queued[value].length}`,
          }))}
        />
      </div>
      <div className="desk-panel-head">
        <TextInput
          size="xs"
          style={{ flex: 1 }}
          aria-label={t("searchTasks")}
          placeholder={t("searchTasks")}
          leftSection={<IconSearch size={14} aria-hidden />}
          {...bindText(sought, setSought)}
        />
      </div>
      <QueueList shown={shown} text={text} onOpen={onOpen} />
      {queued.unassigned.length === 0 && part === "unassigned" ? (
        <NextUnassigned after={desk.day.until} />
      ) : null}
    </section>
  )
}

function queueOf({ day, rowOf, now }: Desk): Record<Part, QueuedTask[]> {
  const open = day.tasks
    .filter(({ status }) => status !== "DONE")
    .map((task) => ({ task, late: lateBy(task, rowOf.get(task.assignee[0] ?? ""), now) }))
  const byDue = open.toSorted(
    (one, other) => one.task.endTime - other.task.endTime || one.task.startTime - other.task.startTime,
  )
  return {
    unassigned: byDue.filter(({ task }) => task.status === "UNASSIGNED"),
    late: byDue.filter(({ late }) => late > 0),
    everything: byDue,
  }
}

interface QueueListProps {
  shown: readonly QueuedTask[]
  text: DeskText
  onOpen(id: string): void
}

function QueueList({ shown, text, onOpen }: QueueListProps) {
  const t = useMessages(dispatchMessages)
  const store = useDeskStore()
  const scroller = useRef<HTMLDivElement>(null)
  const listId = useId()
  const [active, setActive] = useState(0)
  const anchor = useRef(0)
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => itemPixels,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const selectRange = (to: number) => {
    const [low, high] = to < anchor.current ? [to, anchor.current] : [anchor.current, to]
    const ids = shown.slice(low, high + 1).map(({ task }) => task._id)
    store.set({ selected: new Set([...store.get().selected, ...ids]) })
  }
  const move = (to: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setActive(next)
    virtual.scrollToIndex(next)
    if (isExtending) selectRange(next)
    else anchor.current = next
  }
  const press = (event: KeyboardEvent) => {
    const task = shown[active]?.task
    if (!task) return
    if (event.key === "ArrowDown") move(active + 1, event.shiftKey)
    else if (event.key === "ArrowUp") move(active - 1, event.shiftKey)
    else if (event.key === "Home") move(0, event.shiftKey)
    else if (event.key === "End") move(shown.length - 1, event.shiftKey)
    else if (event.key === " ") toggleSelected(store, task._id)
    else if (event.key === "Enter") onOpen(task._id)
    else if (event.key === "a" && (event.ctrlKey || event.metaKey))
      store.set({ selected: new Set(shown.map((entry) => entry.task._id)) })
    else if (event.key.toLowerCase() === "m" && !event.ctrlKey && !event.metaKey) {
      const { selected } = store.get()
      store.set({ selected: selected.size > 0 ? selected : new Set([task._id]), isAssigning: true })
    } else if (event.key === "Escape") store.set({ selected: new Set() })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const click = (index: number, id: string, event: MouseEvent) => {
    setActive(index)
    if (event.shiftKey) selectRange(index)
    else {
      anchor.current = index
      toggleSelected(store, id)
    }
  }
  if (shown.length === 0) return <p className="desk-nothing quiet">{t("nothing")}</p>
  return (
    <div
      ref={scroller}
      className="desk-queue-items"
      role="listbox"
      aria-label={t("list")}
      aria-multiselectable
      aria-activedescendant={shown[active] ? `${listId}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div style={{ height: virtual.getTotalSize(), position: "relative" }} role="presentation">
        {items.map(({ index, start }) => {
          const entry = shown[index]
          return entry ? (
            <QueueItem
              key={entry.task._id}
              elementId={`${listId}-${index}`}
              index={index}
              top={start}
              task={entry.task}
              late={entry.late}
              isActive={index === active}
              text={text}
              onClick={click}
              onOpen={onOpen}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

interface QueueItemProps {
  elementId: string
  index: number
  top: number
  task: DayTask
  late: number
  isActive: boolean
  text: DeskText
  onClick(index: number, id: string, event: MouseEvent): void
  onOpen(id: string): void
}

const QueueItem = memo(function PlainQueueItem(props: QueueItemProps) {
  const { task, late, text, onOpen } = props
  const t = useMessages(dispatchMessages)
  const start = useDragStart()
  const isSelected = useDesk((state) => state.selected.has(task._id))
  const due = text.moment(task.endTime)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its active task
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus for its tasks
    <div
      id={props.elementId}
      role="option"
      aria-selected={isSelected}
      className="desk-item"
      data-active={props.isActive}
      style={{ transform: `translateY(${props.top}px)` }}
      onPointerDown={pressOf(start, { id: task._id, from: task.assignee[0] })}
      onClick={(event) => props.onClick(props.index, task._id, event)}
      onDoubleClick={() => onOpen(task._id)}
    >
      <span className="desk-item-mark" data-status={task.status} data-late={late > 0} />
      <span className="desk-item-text">
        <span className="truncate desk-item-title" dir="auto">
          {task.title || t("untitled")}
        </span>
        <span className="truncate quiet desk-item-detail" dir="auto">
          {task.content ?? (task.title === task.flow ? "" : task.flow)}
        </span>
      </span>
      <span className="desk-item-due" data-bad={late > 0}>
        {late > 0 ? t("lateBy", { time: spanText(late) }) : t("due", { time: due })}
      </span>
    </div>
  )
})
