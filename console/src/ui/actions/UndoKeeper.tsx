import { Button, Group, Text } from "@mantine/core"
import { useEffect } from "react"
import { takeNewest } from "../../api/recent-actions.ts"
import { useMessages } from "../../i18n/language.tsx"
import { isTyped } from "../../shell/shortcuts.ts"
import { offerUndo } from "../notify.ts"
import { undoMessages } from "./undo-messages.ts"
import { useUndo } from "./use-undo.ts"

/** Offers to undo in notifications, and undoes the last change of this tab with Ctrl+Z where no field has the focus. */
export function UndoKeeper() {
  const undo = useUndo()
  const t = useMessages(undoMessages)
  useEffect(() => {
    offerUndo((actionIds, message) => (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void undo(actionIds)}>
          {t("undo")}
        </Button>
      </Group>
    ))
    return () => offerUndo(undefined)
  }, [undo, t])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === "z"
      if (!isUndo || event.defaultPrevented || isTyped(event.target)) return
      const newest = takeNewest()
      if (newest === undefined) return
      event.preventDefault()
      void undo([newest])
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [undo])
  return null
}
