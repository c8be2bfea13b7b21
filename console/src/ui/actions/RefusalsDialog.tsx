import { Alert, Modal, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"

/** The rejected rows of a bulk change, each with its reason. */
export interface Refusal {
  name: string
  reason: string
}

const maxShownRefusals = 50

export function RefusalsDialog(props: {
  refused: readonly Refusal[]
  onClose(): void
  children?: ReactNode
}) {
  const { refused, onClose, children } = props
  const t = useMessages(shellMessages)
  const isOpen = refused.length > 0 || Boolean(children)
  return (
    <Modal opened={isOpen} onClose={onClose} title={t("refused", { count: refused.length })}>
      {children}
      <Stack gap="xs">
        {refused.slice(0, maxShownRefusals).map(({ name, reason }) => (
          <Alert key={name} color="red" variant="light" title={name}>
            {reason}
          </Alert>
        ))}
        {refused.length > maxShownRefusals ? (
          <p className="quiet">{t("moreRefused", { count: refused.length - maxShownRefusals })}</p>
        ) : null}
      </Stack>
    </Modal>
  )
}
