import { Anchor, Button, Stack, TextInput } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { SignInFrame } from "../../people/sessions/SignInFrame.tsx"
import { onboardingMessages } from "./messages.ts"

/** The response is the same for every e-mail, so that it does not reveal who has an account. */
export function ForgotPasswordPage() {
  const t = useMessages(onboardingMessages)
  const [email, setEmail] = useState("")
  const ask = useAction(() => server.post("/api/v3/user/forgot-password", { body: { email: email.trim() } }))
  return (
    <SignInFrame title={t("forgotTitle")}>
      {ask.isSuccess ? (
        <Stack gap="sm">
          <p role="status">{t("forgotDone")}</p>
          <p className="quiet">{t("noMail")}</p>
        </Stack>
      ) : (
        <Form onSubmit={() => ask.mutate()}>
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
              {...bindText(email, setEmail)}
            />
            <FormError error={ask.error} />
            <Button type="submit" size="md" loading={ask.isPending}>
              {t("send")}
            </Button>
          </Stack>
        </Form>
      )}
      <Anchor component={Link} to={paths.signIn} size="sm">
        {t("signIn")}
      </Anchor>
    </SignInFrame>
  )
}
