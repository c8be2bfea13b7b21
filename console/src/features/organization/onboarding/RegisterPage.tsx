import "../../../ui/StatusBadge.css"
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
import { NewPassword } from "./NewPassword.tsx"

export function RegisterPage() {
  const t = useMessages(onboardingMessages)
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [[password, repeated], setPasswords] = useState<[string, string]>(["", ""])
  const register = useAction(() =>
    server.post("/api/v3/register", { body: { name: name.trim(), email: email.trim(), password } }),
  )
  const again = useAction(() => server.post("/api/v3/reverify", { body: { email: email.trim() } }))
  const submit = () => {
    if (password === repeated) register.mutate()
  }
  const toSignIn = (
    <Anchor component={Link} to={paths.signIn} size="sm">
      {t("signIn")}
    </Anchor>
  )
  if (register.isSuccess)
    return (
      <SignInFrame title={t("registeredTitle")}>
        <Stack gap="sm">
          <p role="status">{t("registeredText", { email: email.trim() })}</p>
          <p className="quiet">{t("noMail")}</p>
          <FormError error={again.error} />
          {again.isSuccess ? (
            <p className="quiet" role="status">
              {t("sentAgain")}
            </p>
          ) : (
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
              {t("again")}
            </Button>
          )}
          {toSignIn}
        </Stack>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t("registerTitle")}>
      <Form onSubmit={submit}>
        <Stack gap="sm">
          <p className="quiet">{t("registerText")}</p>
          <TextInput
            label={t("name")}
            autoComplete="name"
            required
            withAsterisk={false}
            autoFocus
            maxLength={200}
            size="md"
            {...bindText(name, setName)}
          />
          <TextInput
            label={t("email")}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            size="md"
            {...bindText(email, setEmail)}
          />
          <NewPassword
            label={t("password")}
            value={password}
            repeated={repeated}
            onChange={(...both) => setPasswords(both)}
          />
          <FormError error={register.error} />
          <Button type="submit" size="md" mt="xs" loading={register.isPending}>
            {t("register")}
          </Button>
          {toSignIn}
        </Stack>
      </Form>
    </SignInFrame>
  )
}
