import { type PointerEvent, useCallback, useEffect, useRef } from "react"
import { shareFromStart } from "../../../ui/reading-direction.ts"
import { type DeskStore, type DragTarget, idsWith, useDeskStore } from "./desk-store.ts"

/** Before this many pixels it is a click. */
const firstPixels = 5

export interface DragSource {
  id: string
  from?: string | undefined
}

interface Press {
  source: DragSource
  x: number
  y: number
}

/**
 * Dragging of tasks with a mouse, a pen or a finger, from lists, timelines and maps alike. The element under the pointer says
 * what would be dropped on: `data-lane` is a person's timeline, `data-drop-unassigned` the list.
 */
export function useDragStart(): (event: Press) => void {
  const store = useDeskStore()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  return useCallback(
    (press) => {
      stop.current?.()
      stop.current = follow(store, press)
    },
    [store],
  )
}

/** Handlers of an element that can be dragged. */
export function pressOf(start: (press: Press) => void, source: DragSource) {
  return (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === "touch") return
    start({ source, x: event.clientX, y: event.clientY })
  }
}

function follow(store: DeskStore, { source, x, y }: Press): () => void {
  let frame = 0
  let last = { x, y }
  const update = () => {
    frame = 0
    const { drag } = store.get()
    if (!drag) return
    const target = targetAt(last.x, last.y, drag.ids)
    const isSame = target?.email === drag.target?.email && target?.at === drag.target?.at
    store.set({ drag: { ...drag, ...last, target: isSame ? drag.target : target } })
  }
  const move = (event: globalThis.PointerEvent) => {
    last = { x: event.clientX, y: event.clientY }
    if (!store.get().drag) {
      if (Math.hypot(last.x - x, last.y - y) < firstPixels) return
      const ids = idsWith(store, source.id)
      store.set({ drag: { ids, from: source.from, ...last, target: undefined } })
      document.body.classList.add("is-dragging-tasks")
    }
    event.preventDefault()
    if (frame === 0) frame = requestAnimationFrame(update)
  }
  const end = (isDropped: boolean) => {
    const { drag } = store.get()
    stop()
    if (drag && isDropped && drag.target) window.dispatchEvent(new CustomEvent(dropEvent, { detail: drag }))
  }
  const up = () => {
    if (frame !== 0) update()
    end(true)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !store.get().drag) return
    // The list or row that has the focus would take the key and clear the selection.
    event.stopPropagation()
    end(false)
  }
  const cancel = () => end(false)
  const stop = () => {
    cancelAnimationFrame(frame)
    window.removeEventListener("pointermove", move)
    window.removeEventListener("pointerup", up)
    window.removeEventListener("pointercancel", cancel)
    window.removeEventListener("keydown", press, { capture: true })
    document.body.classList.remove("is-dragging-tasks")
    // The click that follows belongs to the drag.
    if (store.get().drag) window.addEventListener("click", swallow, { capture: true, once: true })
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }))
    store.set({ drag: undefined })
  }
  window.addEventListener("pointermove", move)
  window.addEventListener("pointerup", up)
  window.addEventListener("pointercancel", cancel)
  window.addEventListener("keydown", press, { capture: true })
  return stop
}

/** Sent to the window with the drag that ended over a target. */
export const dropEvent = "fieldway-drop-tasks"

function swallow(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}

/** What is under the pointer: a person, with the position among the stops that the x coordinate means. */
function targetAt(x: number, y: number, dragged: readonly string[]): DragTarget | undefined {
  const element = document.elementFromPoint(x, y)
  if (!element) return undefined
  if (element.closest("[data-drop-unassigned]")) return { email: null, at: undefined }
  const row = element.closest<HTMLElement>("[data-person]")
  const email = row?.dataset.person
  if (!row || email === undefined) return undefined
  const lane = element.closest<HTMLElement>("[data-lane]")
  if (!lane) return { email, at: undefined }
  const ids = new Set(dragged)
  const blocks = [...lane.querySelectorAll<HTMLElement>("[data-stop]:not([data-added])")].filter(
    ({ dataset }) => !ids.has(dataset.stop ?? ""),
  )
  const before = blocks.filter((block) => {
    return shareFromStart(x, block.getBoundingClientRect()) > 0.5
  })
  return { email, at: before.length }
}
