import { notifications } from "@mantine/notifications"

/** Short news that something was done. What failed stays beside what was tried, and is not told here alone. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "pine", autoClose: 4_000, withBorder: true })
}

export function notifyFailed(title: string, message: string): void {
  notifications.show({ title, message, color: "red", autoClose: 10_000, withBorder: true })
}
