import { Anchor, Button, Stack, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { FormError } from "../../../ui/FormError.tsx"
import { SignInFrame } from "../../people/sessions/SignInFrame.tsx"
import { onboardingMessages } from "./messages.ts"

/** Says the same for every e-mail: who has an account is nobody's business. */
export function ForgotPasswordPage() {
  const t = useMessages(onboardingMessages)
  const [email, setEmail] = useState("")
  const ask = useMutation({
    mutationFn: () => responseOf(api.POST("/api/v3/user/forgot-password", { body: { email: email.trim() } })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <SignInFrame title={t("forgotTitle")}>
      {ask.isSuccess ? (
        <Stack gap="sm">
          <p role="status">{t("forgotDone")}</p>
          <p className="quiet">{t("noMail")}</p>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <p className="quiet">{t("forgotText")}</p>
            <TextInput
              label={t("email")}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              size="md"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <FormError error={ask.error} />
            <Button type="submit" size="md" loading={ask.isPending}>
              {t("send")}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to={paths.signIn} size="sm">
        {t("signIn")}
      </Anchor>
    </SignInFrame>
  )
}
