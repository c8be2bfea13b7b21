import { Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { WithHistory } from "../history/WithHistory.tsx"
import { Panel } from "../layout/Panel.tsx"
import { Form } from "./Form.tsx"
import { FormFoot, type FormFrameProps } from "./FormDialog.tsx"

interface FormPanelProps extends FormFrameProps {
  size: number
  isLocked?: boolean
  /** Beneath the form, outside of it. */
  below?: ReactNode
  onChange?(): void
}

/** A form in a panel next to the list; a locked form is read-only. */
export function FormPanel(props: FormPanelProps) {
  const {
    title,
    size,
    gap = "sm",
    onSubmit,
    onClose,
    onChange,
    children,
    isLocked = false,
    history,
    below,
    ...foot
  } = props
  return (
    <Panel title={title} size={size} onClose={onClose}>
      <WithHistory of={history}>
        <Form onSubmit={onSubmit} onChange={onChange}>
          <fieldset disabled={isLocked} className="bare-fieldset">
            <Stack gap={gap}>
              {children}
              {isLocked ? null : <FormFoot {...foot} onCancel={onClose} />}
            </Stack>
          </fieldset>
        </Form>
        {below}
      </WithHistory>
    </Panel>
  )
}
