import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { useMessages } from "../i18n/language.tsx"
import { shellMessages } from "../shell/messages.ts"
import { Form } from "./Form.tsx"
import { FormError } from "./FormError.tsx"

export interface FormFootProps {
  /** The mutation that sends the form: its error is shown, and the button waits for it. */
  request: { error: Error | null; isPending: boolean }
  isDisabled?: boolean | undefined
  submit: string
  onCancel(): void
}

/** The end of a form: the error of the last attempt, Cancel and the button that sends it. */
export function FormFoot({ request, isDisabled = false, submit, onCancel }: FormFootProps) {
  const t = useMessages(shellMessages)
  return (
    <>
      <FormError error={request.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={request.isPending} disabled={isDisabled}>
          {submit}
        </Button>
      </Group>
    </>
  )
}

interface FormDialogProps
  extends Omit<FormFootProps, "onCancel">,
    Pick<ModalProps, "size" | "closeButtonProps"> {
  title: string
  gap?: "sm" | "md"
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

/** A form in a dialog. */
export function FormDialog(props: FormDialogProps) {
  const { title, gap = "sm", onSubmit, onClose, children, request, isDisabled, submit, ...modal } = props
  return (
    <Modal opened onClose={onClose} title={title} {...modal}>
      <Form onSubmit={() => onSubmit()}>
        <Stack gap={gap}>
          {children}
          <FormFoot request={request} isDisabled={isDisabled} submit={submit} onCancel={onClose} />
        </Stack>
      </Form>
    </Modal>
  )
}
