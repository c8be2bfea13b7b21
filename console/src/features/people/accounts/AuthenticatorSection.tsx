import { Alert, Button, Code, Group, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { dataOf, dataQuery, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { accountMessages } from "./messages.ts"

const QrCode = lazy(async () => ({ default: (await import("../../../ui/QrCode.tsx")).QrCode }))

export const authenticatorQuery = dataQuery(["authenticator"], "/api/v3/user/authenticator")

type Step = "begin" | "renew" | "remove"

/** The app that shows codes: set up with a QR code, its recovery codes shown once, turned off with the password. */
export function AuthenticatorSection() {
  const t = useMessages(accountMessages)
  const client = useQueryClient()
  const [step, setStep] = useState<Step>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [pending, setPending] = useState<{ secret: string; uri: string }>()
  const state = useQuery(authenticatorQuery)
  const refresh = () => client.invalidateQueries({ queryKey: authenticatorQuery.queryKey })
  const showCodes = async (recoveryCodes: readonly string[]) => {
    setPending(undefined)
    setCodes(recoveryCodes)
    await refresh()
  }
  const proceed = useAction(
    async (options: { step: Step; password: string }) => {
      const body = { password: options.password }
      if (options.step === "begin")
        setPending(await dataOf(server.post("/api/v3/user/authenticator", { body })))
      else if (options.step === "renew") {
        const answer = await server.post("/api/v3/user/authenticator/recovery-codes", { body })
        await showCodes(answer.data.recoveryCodes)
      } else {
        await server.delete("/api/v3/user/authenticator", { body })
        notifyDone(t("turnedOff"))
        await refresh()
      }
    },
    { onDone: () => setStep(undefined) },
  )
  const ask = (next: Step) => {
    proceed.reset()
    setStep(next)
  }
  if (!state.data) return null
  const { isEnabled, recoveryCodesLeft } = state.data
  return (
    <section aria-label={t("app")}>
      <h2 className="panel-heading">{t("app")}</h2>
      <Stack gap="sm">
        <p className="quiet">{isEnabled ? t("appOn", { count: recoveryCodesLeft }) : t("appOff")}</p>
        {codes ? (
          <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
        ) : pending ? (
          <ConfirmApp secret={pending.secret} uri={pending.uri} onConfirmed={showCodes} />
        ) : step ? (
          <AskPassword
            hint={step === "begin" ? undefined : t("stepHint")}
            error={proceed.error}
            isPending={proceed.isPending}
            onCancel={() => setStep(undefined)}
            onPassword={(password) => proceed.mutate({ step, password })}
          />
        ) : isEnabled ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => ask("renew")}>
              {t("newCodes")}
            </Button>
            <Button variant="subtle" color="red" onClick={() => ask("remove")}>
              {t("turnOff")}
            </Button>
          </Group>
        ) : (
          <Button variant="default" onClick={() => ask("begin")} style={{ alignSelf: "flex-start" }}>
            {t("setUp")}
          </Button>
        )}
      </Stack>
    </section>
  )
}

function AskPassword(props: {
  hint: string | undefined
  error: unknown
  isPending: boolean
  onCancel(): void
  onPassword(password: string): void
}) {
  const t = useMessages(accountMessages)
  const [password, setPassword] = useState("")
  return (
    <Form onSubmit={() => props.onPassword(password)}>
      <Stack gap="sm">
        <PasswordInput
          label={t("yourPassword")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
          {...bindText(password, setPassword)}
        />
        {props.hint === undefined ? null : <p className="quiet">{props.hint}</p>}
        <FormError error={props.error} />
        <Group gap="xs">
          <Button type="submit" loading={props.isPending}>
            {t("goOn")}
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            {t("cancel")}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function ConfirmApp(props: {
  secret: string
  uri: string
  onConfirmed(codes: readonly string[]): Promise<void>
}) {
  const t = useMessages(accountMessages)
  const [code, setCode] = useState("")
  const confirm = useAction(async () => {
    const body = { code: code.trim() }
    const { data } = await server.post("/api/v3/user/authenticator/confirm", { body })
    await props.onConfirmed(data.recoveryCodes)
  })
  return (
    <Form onSubmit={() => confirm.mutate()}>
      <Stack gap="sm">
        <p>{t("scan")}</p>
        <Suspense fallback={<div style={{ height: 200 }} />}>
          <QrCode text={props.uri} label={t("qr")} />
        </Suspense>
        <p className="quiet">
          {t("secret")}: <Code style={{ overflowWrap: "anywhere" }}>{props.secret}</Code>
        </p>
        <TextInput
          label={t("code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          {...bindText(code, setCode)}
        />
        <FormError error={confirm.error} />
        <Button type="submit" loading={confirm.isPending} style={{ alignSelf: "flex-start" }}>
          {t("turnOn")}
        </Button>
      </Stack>
    </Form>
  )
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const t = useMessages(accountMessages)
  return (
    <Alert color="pine" title={t("codesTitle")} role="status">
      <p>{t("codesText")}</p>
      <Code block my="sm">
        {codes.join("\n")}
      </Code>
      <Group gap="xs">
        <CopyText text={codes.join("\n")} size="compact-sm" />
        <Button size="compact-sm" onClick={onKept}>
          {t("done")}
        </Button>
      </Group>
    </Alert>
  )
}
