import { Button, Group, type ModalProps, Stack } from "@mantine/core"
import type { ComponentProps, ReactNode } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { WithHistory } from "../history/WithHistory.tsx"
import { OpenModal } from "../layout/OpenModal.tsx"
import { Form } from "./Form.tsx"
import { FormError } from "./FormError.tsx"

export interface FormFootProps {
  /** The action that sends the form: its error is shown, and the button waits for it. */
  request: { error: Error | null; isPending: boolean }
  isDisabled?: boolean | undefined
  /** Instead of "Save". */
  submit?: string | undefined
  /** At the other side of the buttons, for example to delete what the form edits. */
  aside?: ReactNode
  onCancel(): void
}

/** The end of a form: the error of the last attempt, Cancel and the button that sends it. */
export function FormFoot({ request, isDisabled = false, submit, aside, onCancel }: FormFootProps) {
  const t = useMessages(shellMessages)
  return (
    <>
      <FormError error={request.error} />
      <Group justify="flex-end" gap="xs">
        {aside ? <div style={{ marginInlineEnd: "auto" }}>{aside}</div> : null}
        <Button variant="default" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={request.isPending} disabled={isDisabled}>
          {submit ?? t("save")}
        </Button>
      </Group>
    </>
  )
}

export interface FormFrameProps extends Omit<FormFootProps, "onCancel"> {
  title: string
  gap?: "sm" | "md"
  /** The object that is edited: its history is a tab. */
  history?: ComponentProps<typeof WithHistory>["of"]
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

/** A form in a dialog. */
export function FormDialog(props: FormFrameProps & Pick<ModalProps, "size" | "closeButtonProps">) {
  const t = useMessages(shellMessages)
  const { gap = "sm", history, onSubmit, children, request, isDisabled, submit, aside, ...modal } = props
  const foot = { request, isDisabled, submit, aside, onCancel: props.onClose }
  return (
    <OpenModal closeButtonProps={{ "aria-label": t("close") }} {...modal}>
      <WithHistory of={history}>
        <Form onSubmit={onSubmit}>
          <Stack gap={gap}>
            {children}
            <FormFoot {...foot} />
          </Stack>
        </Form>
      </WithHistory>
    </OpenModal>
  )
}
