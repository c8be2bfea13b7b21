import { Stack } from "@mantine/core"
import { Panel } from "../layout/Panel.tsx"
import { Form } from "./Form.tsx"
import { FormFoot, type FormFrameProps } from "./FormDialog.tsx"

/** A form in a panel next to the list; a locked form is read-only. */
export function FormPanel(props: FormFrameProps & { size: number; isLocked?: boolean; onChange?(): void }) {
  const { title, size, gap = "sm", onSubmit, onClose, onChange, children, isLocked = false, ...foot } = props
  return (
    <Panel title={title} size={size} onClose={onClose}>
      <Form onSubmit={onSubmit} onChange={onChange}>
        <fieldset disabled={isLocked} className="bare-fieldset">
          <Stack gap={gap}>
            {children}
            {isLocked ? null : <FormFoot {...foot} onCancel={onClose} />}
          </Stack>
        </fieldset>
      </Form>
    </Panel>
  )
}
