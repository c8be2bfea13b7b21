import { Button, Group, Modal, Text } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"

export interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  text: string
  confirm: string
  /** Instead of "Cancel". */
  cancel?: string
  isDangerous?: boolean
  /** Called after the dialog is closed. */
  onConfirm(): void
  onClose(): void
}

/** Asks for confirmation before an action that is hard to undo. Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, text, confirm, cancel, isDangerous, onConfirm, onClose } = props
  const t = useMessages(shellMessages)
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="sm">
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? t("cancel")}
        </Button>
        <Button
          color={isDangerous ? "red" : "pine"}
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
