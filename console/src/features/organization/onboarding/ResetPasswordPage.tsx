import { Anchor, Button, Stack } from "@mantine/core"
import { Link, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { SignInFrame } from "../../people/sessions/SignInFrame.tsx"
import { onboardingMessages } from "./messages.ts"
import { NewPassword } from "./NewPassword.tsx"

/** Where the link of the mail about a forgotten password leads. */
export function ResetPasswordPage() {
  const t = useMessages(onboardingMessages)
  const { email, token } = useSearch({ from: paths.resetPassword })
  const [[password, repeated], setPasswords] = useState<[string, string]>(["", ""])
  const reset = useAction(() =>
    server.post("/api/v3/user/reset-password", {
      body: { email: email ?? "", token: token ?? "", password },
    }),
  )
  const submit = () => {
    if (password === repeated) reset.mutate()
  }
  if (!email || !token)
    return (
      <SignInFrame title={t("resetTitle")}>
        <p role="alert">{t("badLink")}</p>
        <Anchor component={Link} to={paths.forgotPassword} size="sm">
          {t("send")}
        </Anchor>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t("resetTitle")}>
      {reset.isSuccess ? (
        <Stack gap="sm">
          <p role="status">{t("resetDone")}</p>
          <Button component={Link} to={paths.signIn} size="md">
            {t("toSignIn")}
          </Button>
        </Stack>
      ) : (
        <Form onSubmit={submit}>
          <Stack gap="sm">
            <p className="quiet">{t("resetText", { email })}</p>
            <input type="hidden" autoComplete="username" value={email} />
            <NewPassword value={password} repeated={repeated} onChange={(...both) => setPasswords(both)} />
            <FormError error={reset.error} />
            <Button type="submit" size="md" mt="xs" loading={reset.isPending}>
              {t("save")}
            </Button>
            <Anchor component={Link} to={paths.forgotPassword} size="sm">
              {t("again")}
            </Anchor>
          </Stack>
        </Form>
      )}
    </SignInFrame>
  )
}
