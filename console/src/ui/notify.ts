import { type ReactNode, useSyncExternalStore } from "react"
import { countUnoffered, takeUnoffered } from "../api/recent-actions.ts"

let hasNews = false
const listeners = new Set<() => void>()

type Library = Pick<typeof import("@mantine/notifications"), "notifications">

/** The library is loaded with the first news. Where it cannot be, the page goes on without them. */
async function withLibrary(use: (library: Library) => void): Promise<void> {
  const library = await import("@mantine/notifications").catch(() => undefined)
  if (!library) return
  hasNews = true
  for (const listener of listeners) listener()
  use(library)
}

/** Whether there has been a notification: until then their container is not needed. */
export function useHasNews(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasNews,
  )
}

type Offer = (actionIds: readonly string[], message: string) => ReactNode

let offer: Offer | undefined

/** Where actions can be undone, notifications offer it; `shown` is their content. */
export function offerUndo(shown: Offer | undefined): void {
  offer = shown
}

/** A short notification of success, which offers to undo what led to it. Errors are also shown next to the action that failed. */
export function notifyDone(message: string): void {
  const actionIds = offer ? takeUnoffered() : []
  const content = actionIds.length > 0 ? offer?.(actionIds, message) : message
  void withLibrary(({ notifications }) => {
    const id = notifications.show({
      message: content,
      color: "pine",
      withBorder: true,
      // Under a pointer that rests where it appears it would stay, and hold back clicks on what it covers.
      ...(actionIds.length > 0
        ? { autoClose: 10_000 }
        : { autoClose: 4_000, withCloseButton: false, style: { pointerEvents: "none" as const } }),
      onClose: () => offers.delete(id),
    })
    if (actionIds.length > 0) offers.set(id, actionIds)
  })
}

/** What open notifications offer to undo. */
const offers = new Map<string, readonly string[]>()

/** Takes away the notifications that offer to undo what is undone now. */
export function withdrawOffers(actionIds: readonly string[]): void {
  const done = [...offers].filter(([, offered]) => offered.every((id) => actionIds.includes(id)))
  if (done.length > 0)
    void withLibrary(({ notifications }) => {
      for (const [id] of done) notifications.hide(id)
    })
}

let status: string | undefined

/** What just happened, for a phone: one at a time, over the head of the page, where taps pass through it. */
export function notifyStatus(message: string): void {
  void withLibrary(({ notifications }) => {
    if (status !== undefined) notifications.hide(status)
    const look = { color: "pine", autoClose: 4_000, withBorder: true, withCloseButton: false }
    status = notifications.show({ message, className: "status-notice", ...look })
  })
}

/** Whether something was changed that no notification has offered to undo. */
export function hasUnofferedActions(): boolean {
  return offer !== undefined && countUnoffered() > 0
}

export function notifyFailed(title: string, message: string): void {
  void withLibrary(({ notifications }) =>
    notifications.show({ title, message, color: "red", autoClose: 10_000, withBorder: true }),
  )
}
