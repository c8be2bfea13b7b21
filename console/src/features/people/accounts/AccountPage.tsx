import "./accounts.css"
import { Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { FormError } from "../../../ui/FormError.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { PageHeader } from "../../../ui/PageHeader.tsx"
import { OwnDevices } from "../../location/devices/DeviceKeys.tsx"
import { NewPassword } from "../../organization/onboarding/NewPassword.tsx"
import { AuthenticatorSection } from "./AuthenticatorSection.tsx"
import { accountMessages } from "./messages.ts"

/** Everybody's own settings: who one is, the password, and the second step of signing in. */
export function AccountPage() {
  const t = useMessages(accountMessages)
  return (
    <div className="page">
      <PageHeader title={t("title")} />
      <div className="page-body">
        <Stack gap={32} maw={520}>
          <ProfileSection />
          <PasswordSection />
          <AuthenticatorSection />
        </Stack>
        <div className="own-devices">
          <OwnDevices title={t("devices")} />
        </div>
      </div>
    </div>
  )
}

function ProfileSection() {
  const t = useMessages(accountMessages)
  const { user } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const [phone, setPhone] = useState(user.phoneNumber ?? "")
  const [password, setPassword] = useState("")
  const isOtherEmail = email.trim().toLowerCase() !== user.email
  const save = useMutation({
    mutationFn: () =>
      responseOf(
        api.PATCH("/api/v3/user", {
          body: {
            name: name.trim(),
            phoneNumber: phone.trim() || null,
            ...(isOtherEmail ? { email: email.trim(), currentPassword: password } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      setPassword("")
      notifyDone(t("saved"))
      await client.invalidateQueries({ queryKey: ownUserQuery.queryKey })
    },
  })
  const isChanged = name !== user.name || isOtherEmail || phone !== (user.phoneNumber ?? "")
  useLeaveWarning(isChanged && !save.isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <section aria-label={t("profile")}>
      <h2 className="panel-heading">{t("profile")}</h2>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("name")}
            required
            withAsterisk={false}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t("email")}
            type="email"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {isOtherEmail ? (
            <PasswordInput
              label={t("confirmEmail")}
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          ) : null}
          <TextInput
            label={t("phone")}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <FormError error={save.error} />
          <Button type="submit" loading={save.isPending} style={{ alignSelf: "flex-start" }}>
            {t("save")}
          </Button>
        </Stack>
      </form>
    </section>
  )
}

function PasswordSection() {
  const t = useMessages(accountMessages)
  const { user } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState("")
  const [[password, repeated], setPasswords] = useState<[string, string]>(["", ""])
  const [revokeTokens, setRevokeTokens] = useState(false)
  const change = useMutation({
    mutationFn: () => {
      const body = { currentPassword: current, password, revokeTokens }
      return responseOf(api.PUT("/api/v3/user/change-password", { body }))
    },
    onSuccess: async () => {
      setRevokeTokens(false)
      setCurrent("")
      setPasswords(["", ""])
      notifyDone(t("changed"))
      await client.invalidateQueries({ queryKey: ownUserQuery.queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password === repeated) change.mutate()
  }
  return (
    <section aria-label={t("password")}>
      <h2 className="panel-heading">{t("password")}</h2>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {user.passwordExpired ? <p className="overdue">{t("expired")}</p> : null}
          <PasswordInput
            label={t("currentPassword")}
            autoComplete="current-password"
            required
            withAsterisk={false}
            size="md"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <NewPassword value={password} repeated={repeated} onChange={(...both) => setPasswords(both)} />
          <Checkbox
            label={t("revokeTokens")}
            description={t("revokeHint")}
            checked={revokeTokens}
            onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
          />
          <FormError error={change.error} />
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            style={{ alignSelf: "flex-start" }}
          >
            {t("change")}
          </Button>
        </Stack>
      </form>
    </section>
  )
}
