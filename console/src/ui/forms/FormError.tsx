import { Alert } from "@mantine/core"
import { IconAlertCircle } from "@tabler/icons-react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useMessages } from "../../i18n/language.tsx"

/** Why the last attempt was rejected, above the form's buttons. */
export function FormError({ error, title }: { error: unknown; title?: string | undefined }) {
  const t = useMessages(errorMessages)
  if (!error) return null
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle size={18} />} role="alert" title={title}>
      {errorText(error, t)}
    </Alert>
  )
}
