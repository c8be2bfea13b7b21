import "../../../ui/StatusBadge.css"
import { Anchor, Button, Stack, TextInput } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { consoleHeader } from "./enter.ts"
import { sessionMessages } from "./messages.ts"

export interface CodeFormProps {
  challengeId: string
  onSignedIn(): Promise<void>
  onBack(): void
}

/** The second step of a role or an account that asks for a code: mailed, or of an authenticator app. */
export function CodeForm({ challengeId, onSignedIn, onBack }: CodeFormProps) {
  const t = useMessages(sessionMessages)
  const [code, setCode] = useState("")
  const { data: challenge } = useQuery({
    queryKey: ["secret", challengeId],
    // Asked once: a used challenge is gone.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET("/api/v3/secret/{id}", { params: { path: { id: challengeId } }, signal })))
        .data,
  })
  const confirm = useMutation({
    mutationFn: async () => {
      const body = { id: challengeId, secret: code.trim() }
      await responseOf(api.POST("/api/v3/secret", { body, headers: consoleHeader }))
      await onSignedIn()
    },
  })
  const resend = useMutation({
    mutationFn: () => responseOf(api.PUT("/api/v3/secret/{id}", { params: { path: { id: challengeId } } })),
    onSuccess: () => setCode(""),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate()
  }
  const isMailed = challenge?.method === "email"
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <p className="quiet">
          {challenge
            ? isMailed
              ? t("codeMailed", { email: challenge.email })
              : t("codeApp")
            : t("codeText")}
        </p>
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
        <FormError error={confirm.error ?? resend.error} />
        {resend.isSuccess ? (
          <p className="quiet" role="status">
            {t("codeSent")}
          </p>
        ) : null}
        <Button type="submit" size="md" mt="xs" loading={confirm.isPending}>
          {t("confirm")}
        </Button>
        {isMailed ? (
          <Anchor component="button" type="button" size="sm" onClick={() => resend.mutate()}>
            {t("codeAgain")}
          </Anchor>
        ) : null}
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t("back")}
        </Button>
      </Stack>
    </form>
  )
}
