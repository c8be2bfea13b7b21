import "../../../ui/StatusBadge.css"
import { Anchor, Button, Stack, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { consoleHeader } from "./enter.ts"
import { sessionMessages } from "./messages.ts"

export interface CodeFormProps {
  challengeId: string
  onSignedIn(): Promise<void>
  onBack(): void
}

/** The second step of a role or an account that requires a code: e-mailed, or from an authenticator app. */
export function CodeForm({ challengeId, onSignedIn, onBack }: CodeFormProps) {
  const t = useMessages(sessionMessages)
  const [code, setCode] = useState("")
  const { data: challenge } = useQuery({
    queryKey: ["secret", challengeId],
    // Read once: a used challenge is gone.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/secret/{id}", { id: challengeId, signal })),
  })
  const confirm = useAction(async () => {
    const body = { id: challengeId, secret: code.trim() }
    await server.post("/api/v3/secret", { body, headers: consoleHeader })
    await onSignedIn()
  })
  const resend = useAction(() => server.put("/api/v3/secret/{id}", { id: challengeId }), {
    onDone: () => setCode(""),
  })
  const isMailed = challenge?.method === "email"
  return (
    <Form onSubmit={() => confirm.mutate()}>
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
          {...bindText(code, setCode)}
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
    </Form>
  )
}
