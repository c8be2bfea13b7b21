import "../../../ui/StatusBadge.css"
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core"
import { Link, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { ApiError } from "../../../api/client.ts"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { settleSignOut } from "../../../session/signed-out.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { CodeForm } from "./CodeForm.tsx"
import { consoleHeader, useEnter } from "./enter.ts"
import { sessionMessages } from "./messages.ts"
import { ProviderButtons, ProviderRefusal } from "./ProviderButtons.tsx"
import { SignInFrame } from "./SignInFrame.tsx"

export function SignInPage() {
  const t = useMessages(sessionMessages)
  const { next, challenge } = useSearch({ from: paths.signIn })
  const enter = useEnter()
  const [challengeId, setChallengeId] = useState(challenge)
  useEffect(() => void settleSignOut(), [])
  return (
    <SignInFrame title={challengeId === undefined ? t("title") : t("codeTitle")}>
      {challengeId === undefined ? (
        <PasswordForm onSignedIn={() => enter(next)} onCodeDue={setChallengeId} />
      ) : (
        <CodeForm
          challengeId={challengeId}
          onSignedIn={() => enter(next)}
          onBack={() => setChallengeId(undefined)}
        />
      )}
    </SignInFrame>
  )
}

interface PasswordFormProps {
  onSignedIn(): Promise<void>
  onCodeDue(challengeId: string): void
}

/** The right password of an account whose address or invitation still waits. */
const waitingCode = "user-043"

function PasswordForm({ onSignedIn, onCodeDue }: PasswordFormProps) {
  const t = useMessages(sessionMessages)
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const signIn = useAction(async () => {
    const body = { email: email.trim(), password }
    const { data } = await server.post("/api/v3/login", { body, headers: consoleHeader })
    if ("_id" in data) await onSignedIn()
    else onCodeDue(data.id)
  })
  const verifyAgain = useAction(() => server.post("/api/v3/reverify", { body: { email: email.trim() } }))
  const isWaiting = signIn.error instanceof ApiError && signIn.error.failedCode === waitingCode
  const submit = () => {
    verifyAgain.reset()
    signIn.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
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
        <PasswordInput
          label={t("password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          {...bindText(password, setPassword)}
        />
        <ProviderRefusal />
        <FormError error={signIn.error ?? verifyAgain.error} />
        {isWaiting ? (
          verifyAgain.isSuccess ? (
            <p className="quiet" role="status">
              {t("mailOnItsWay")}
            </p>
          ) : (
            <Button variant="default" loading={verifyAgain.isPending} onClick={() => verifyAgain.mutate()}>
              {t("mailAgain")}
            </Button>
          )
        ) : null}
        <Button type="submit" size="md" mt="xs" loading={signIn.isPending}>
          {t("submit")}
        </Button>
        <ProviderButtons email={email} />
        <Group justify="space-between">
          <Anchor component={Link} to={paths.forgotPassword} size="sm">
            {t("forgot")}
          </Anchor>
          <Anchor component={Link} to={paths.register} size="sm">
            {t("register")}
          </Anchor>
        </Group>
      </Stack>
    </Form>
  )
}
