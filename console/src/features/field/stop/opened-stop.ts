let opened: string | undefined

/** The stop that was opened last: the list is drawn as far as there when somebody goes back. */
export function openedStop(): string | undefined {
  return opened
}

/** Without a stop, the list begins at its top: the person is done with the one that they opened. */
export function noteOpenedStop(taskId?: string): void {
  opened = taskId
}
