import { useSyncExternalStore } from "react"

let hasNews = false
const listeners = new Set<() => void>()

/** Loaded with the first news: no page needs it to be seen. */
function library() {
  hasNews = true
  for (const listener of listeners) listener()
  return import("@mantine/notifications")
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

/** A short notification of success. Errors are also shown next to the action that failed. */
export function notifyDone(message: string): void {
  void library().then(({ notifications }) =>
    notifications.show({ message, color: "pine", autoClose: 4_000, withBorder: true }),
  )
}

export function notifyFailed(title: string, message: string): void {
  void library().then(({ notifications }) =>
    notifications.show({ title, message, color: "red", autoClose: 10_000, withBorder: true }),
  )
}
