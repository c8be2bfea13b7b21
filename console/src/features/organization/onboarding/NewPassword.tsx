import { PasswordInput } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { onboardingMessages } from "./messages.ts"

export interface NewPasswordProps {
  value: string
  repeated: string
  onChange(value: string, repeated: string): void
  label?: string
}

/** A new password, typed twice. The server judges its strength by the policies that apply. */
export function NewPassword({ value, repeated, onChange, label }: NewPasswordProps) {
  const t = useMessages(onboardingMessages)
  return (
    <>
      <PasswordInput
        label={label ?? t("newPassword")}
        description={t("passwordHint")}
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={8}
        size="md"
        {...bindText(value, (value) => onChange(value, repeated))}
      />
      <PasswordInput
        label={t("repeat")}
        autoComplete="new-password"
        required
        withAsterisk={false}
        size="md"
        error={repeated !== "" && repeated !== value ? t("different") : undefined}
        {...bindText(repeated, (repeated) => onChange(value, repeated))}
      />
    </>
  )
}
