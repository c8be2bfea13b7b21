import { Button, Group, Modal, Text } from "@mantine/core"

export interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  text: string
  confirm: string
  cancel: string
  isDangerous?: boolean
  onConfirm(): void
  onCancel(): void
}

/** Asks before what cannot be taken back lightly. The safe answer has the focus. */
export function ConfirmDialog({
  isOpen,
  title,
  text,
  confirm,
  cancel,
  isDangerous,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onCancel} title={title} size="sm">
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {cancel}
        </Button>
        <Button color={isDangerous ? "red" : "pine"} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
