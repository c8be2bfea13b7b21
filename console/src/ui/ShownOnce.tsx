import { Alert, Button, Code, Group, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { useMessages } from "../i18n/language.tsx"
import { shellMessages } from "../shell/messages.ts"
import { CopyText } from "./CopyText.tsx"
import { OpenModal } from "./layout/OpenModal.tsx"

interface ShownOnceProps {
  title: string
  secret: string
  /** Says that it is not shown again. */
  notice: string
  hint: string
  /** A further button before Copy. */
  action?: ReactNode
  onClose(): void
}

/** What was just created and is shown only now: a token, or an address that contains one. */
export function ShownOnce({ title, secret, notice, hint, action, onClose }: ShownOnceProps) {
  const t = useMessages(shellMessages)
  return (
    <OpenModal onClose={onClose} title={title} closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="pine" title={notice} role="status">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {secret}
          </Code>
          <p className="quiet">{hint}</p>
        </Alert>
        <Group justify="flex-end" gap="xs">
          {action}
          <CopyText text={secret} data-autofocus />
          <Button onClick={onClose}>{t("done")}</Button>
        </Group>
      </Stack>
    </OpenModal>
  )
}
