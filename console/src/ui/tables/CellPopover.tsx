import { Button, Group, Popover, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { Form } from "../forms/Form.tsx"
import { FormError } from "../forms/FormError.tsx"
import { tableMessages } from "./table-messages.ts"

interface CellPopoverProps {
  title: string
  save: { error: Error | null; isPending: boolean; mutate(): void }
  /** What is left as it was is not sent. */
  isChanged: boolean
  onClose(): void
  /** The input of the field. */
  children: ReactNode
}

/** Changes one field beside its cell. */
export function CellPopover({ title, save, isChanged, onClose, children }: CellPopoverProps) {
  const t = useMessages(tableMessages)
  return (
    // The lists of its inputs are beside it: a choice there is no click outside. A width of its own, so that the buttons stay where
    // they are while a tag is added.
    <Popover
      opened
      onChange={onClose}
      closeOnClickOutside={false}
      position="bottom-start"
      trapFocus
      shadow="md"
      withinPortal
    >
      <Popover.Target>
        <span />
      </Popover.Target>
      <Popover.Dropdown aria-label={title} onClick={(event) => event.stopPropagation()}>
        <Form onSubmit={() => (isChanged ? save.mutate() : onClose())}>
          <Stack gap="sm" w={300}>
            {children}
            <FormError error={save.error} />
            <Group justify="flex-end" gap="xs">
              <Button size="xs" variant="default" onClick={onClose}>
                {t("cancel")}
              </Button>
              <Button size="xs" type="submit" loading={save.isPending}>
                {t("save")}
              </Button>
            </Group>
          </Stack>
        </Form>
      </Popover.Dropdown>
    </Popover>
  )
}
