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
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const signIn = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v3/login", { body: { email: email.trim(), password }, headers: consoleHeader }),
      ),
    onSuccess: async ({ data }) => {
      client.clear()
      client.setQueryData(ownUserQuery.queryKey, data)
      router.history.push(next ?? paths.today)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <main className="sign-in">
      <form className="sign-in-form" onSubmit={submit}>
        <Brand />
        <h1>{t("title")}</h1>
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
        </Stack>
        <p className="quiet">{t("help")}</p>
      </form>
      <div className="sign-in-picture" aria-hidden>
        <SignInPicture />
        <p className="sign-in-words">{t("words")}</p>
      </div>
    </main>
  )
}
