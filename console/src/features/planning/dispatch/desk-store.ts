import { createContext, useContext, useSyncExternalStore } from "react"

export interface DragTarget {
  /** Null: the list of unassigned tasks. */
  email: string | null
  /** Before which of the person's stops, without those that are dragged; undefined: where they fit best. */
  at: number | undefined
}

export interface Drag {
  ids: readonly string[]
  /** Whose timeline they are dragged from. */
  from: string | undefined
  x: number
  y: number
  target: DragTarget | undefined
}

interface DeskState {
  selected: ReadonlySet<string>
  drag: Drag | undefined
  /** The person whose way the map draws. */
  shownPerson: string | undefined
  /** Whether the choice of an assignee for the selected tasks is open. */
  isAssigning: boolean
}

/**
 * What changes while the pointer moves. It is kept outside of React, so that only what shows it is rendered: a thousand
 * blocks of a timeline are not.
 */
export interface DeskStore {
  get(): DeskState
  set(change: Partial<DeskState>): void
  subscribe(listener: () => void): () => void
}

export function createDeskStore(): DeskStore {
  let state: DeskState = {
    selected: new Set(),
    drag: undefined,
    shownPerson: undefined,
    isAssigning: false,
  }
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const DeskContext = createContext<DeskStore>(createDeskStore())
export const DeskProvider = DeskContext.Provider
export const useDeskStore = () => useContext(DeskContext)

/** A part of the state; `select` must return the same value while that part is the same. */
export function useDesk<Part>(select: (state: DeskState) => Part): Part {
  const store = useDeskStore()
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}

export function toggleSelected(store: DeskStore, id: string): void {
  const selected = new Set(store.get().selected)
  if (!selected.delete(id)) selected.add(id)
  store.set({ selected })
}

/** What is dragged or moved from a task: the selection if the task is in it, else the task alone. */
export function idsWith(store: DeskStore, id: string): readonly string[] {
  const { selected } = store.get()
  return selected.has(id) ? [...selected] : [id]
}
