import { Button, type ButtonProps, CopyButton } from "@mantine/core"
import { useMessages } from "../i18n/language.tsx"
import { shellMessages } from "../shell/messages.ts"

interface CopyTextProps extends ButtonProps {
  text: string
  /** Instead of "Copy". */
  label?: string
  "aria-label"?: string
  "data-autofocus"?: boolean
}

/** A button that copies a text and confirms it. */
export function CopyText({ text, label, ...button }: CopyTextProps) {
  const t = useMessages(shellMessages)
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" {...button} onClick={copy}>
          {copied ? t("copied") : (label ?? t("copy"))}
        </Button>
      )}
    </CopyButton>
  )
}
