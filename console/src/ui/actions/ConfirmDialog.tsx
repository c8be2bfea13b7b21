import { Button, Group, Modal, Text } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { isTypedCount, TypedCount } from "./TypedCount.tsx"

export interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  text: string
  confirm: string
  /** Instead of "Cancel". */
  cancel?: string
  isDangerous?: boolean
  /** How many objects are deleted: many are confirmed by typing the number. */
  count?: number
  /** Called after the dialog is closed. */
  onConfirm(): void
  onClose(): void
}

/** Asks for confirmation before an action that is hard to undo. Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, text, confirm, cancel, isDangerous, count = 0, onConfirm, onClose } = props
  const t = useMessages(shellMessages)
  const [typed, setTyped] = useState("")
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="sm">
      <Text size="sm">{text}</Text>
      <TypedCount count={count} value={typed} onChange={setTyped} />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? t("cancel")}
        </Button>
        <Button
          color={isDangerous ? "red" : "pine"}
          disabled={!isTypedCount(typed, count)}
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
