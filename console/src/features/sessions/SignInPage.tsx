import { Button, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter, useSearch } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { answerOf, api } from "../../api/client.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { ownUserQuery } from "../../session/session.ts"
import { Brand } from "../../shell/Brand.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { sessionMessages } from "./messages.ts"
import { SignInPicture } from "./SignInPicture.tsx"

/** The server puts the session into a cookie that no script can read, because of this header. */
const consoleHeader = { "X-Fieldway-Console": "1" }

export function SignInPage() {
  const t = useMessages(sessionMessages)
  const { next } = useSearch({ from: paths.signIn })
  const router = useRouter()
  const client = useQueryClient()
  const [challengeId, setChallengeId] = useState<string>()
  const enter = async () => {
    client.clear()
    await client.fetchQuery(ownUserQuery)
    router.history.push(next ?? paths.today)
  }
  return (
    <main className="sign-in">
      <div className="sign-in-form">
        <Brand />
        <h1>{challengeId === undefined ? t("title") : t("codeTitle")}</h1>
        {challengeId === undefined ? (
          <PasswordForm onSignedIn={enter} onCodeDue={setChallengeId} />
        ) : (
          <CodeForm challengeId={challengeId} onSignedIn={enter} onBack={() => setChallengeId(undefined)} />
        )}
      </div>
      <div className="sign-in-picture" aria-hidden>
        <SignInPicture />
        <p className="sign-in-words">{t("words")}</p>
      </div>
    </main>
  )
}

interface PasswordFormProps {
  onSignedIn(): Promise<void>
  onCodeDue(challengeId: string): void
}

function PasswordForm({ onSignedIn, onCodeDue }: PasswordFormProps) {
  const t = useMessages(sessionMessages)
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const signIn = useMutation({
    mutationFn: async () => {
      const body = { email: email.trim(), password }
      const { data } = await answerOf(api.POST("/api/v3/login", { body, headers: consoleHeader }))
      if ("_id" in data) await onSignedIn()
      else onCodeDue(data.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
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
        <PasswordInput
          label={t("password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError error={signIn.error} />
        <Button type="submit" size="md" mt="xs" loading={signIn.isPending}>
          {t("submit")}
        </Button>
        <p className="quiet">{t("help")}</p>
      </Stack>
    </form>
  )
}

interface CodeFormProps {
  challengeId: string
  onSignedIn(): Promise<void>
  onBack(): void
}

/** The second step of a role or an account that asks for a code: mailed, or of an authenticator app. */
function CodeForm({ challengeId, onSignedIn, onBack }: CodeFormProps) {
  const t = useMessages(sessionMessages)
  const [code, setCode] = useState("")
  const confirm = useMutation({
    mutationFn: async () => {
      const body = { id: challengeId, secret: code.trim() }
      await answerOf(api.POST("/api/v3/secret", { body, headers: consoleHeader }))
      await onSignedIn()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <p className="quiet">{t("codeText")}</p>
        <TextInput
          label={t("code")}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          size="md"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FormError error={confirm.error} />
        <Button type="submit" size="md" mt="xs" loading={confirm.isPending}>
          {t("confirm")}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t("back")}
        </Button>
      </Stack>
    </form>
  )
}
