/** Loaded with the first news: no page needs it to be seen. */
const library = () => import("@mantine/notifications")

/** Short news that something was done. What failed stays beside what was tried, and is not told here alone. */
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
