import { Button, Group } from "@mantine/core"
import { FormError } from "./FormError.tsx"

export interface FormFootProps {
  /** What the server refused at the last try. */
  error: Error | null
  isPending: boolean
  isDisabled?: boolean | undefined
  cancel: string
  submit: string
  onCancel(): void
}

/** How every form in a dialog ends: the refusal, then leaving or sending. */
export function FormFoot({ error, isPending, isDisabled = false, cancel, submit, onCancel }: FormFootProps) {
  return (
    <>
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {cancel}
        </Button>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {submit}
        </Button>
      </Group>
    </>
  )
}
