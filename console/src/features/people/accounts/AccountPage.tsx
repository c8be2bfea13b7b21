import "./accounts.css"
import { Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { loadOwnDevices, OwnDevices } from "../../location/devices/DeviceKeys.tsx"
import { NewPassword } from "../../organization/onboarding/NewPassword.tsx"
import { AuthenticatorSection, authenticatorQuery } from "./AuthenticatorSection.tsx"
import { accountMessages } from "./messages.ts"

export const loader: PageLoader = (context) =>
  Promise.all([context.client.prefetchQuery(authenticatorQuery), loadOwnDevices(context)])

/** A user's account: name and e-mail, the password, and the second sign-in step. */
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
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const [phone, setPhone] = useState(user.phoneNumber ?? "")
  const [password, setPassword] = useState("")
  const isOtherEmail = email.trim().toLowerCase() !== user.email
  const save = useAction(
    () =>
      server.patch("/api/v3/user", {
        body: {
          name: name.trim(),
          phoneNumber: phone.trim() || null,
          ...(isOtherEmail ? { email: email.trim(), currentPassword: password } : {}),
        },
      }),
    {
      refreshes: [ownUserQuery.queryKey],
      onDone: () => {
        setPassword("")
        notifyDone(t("saved"))
      },
    },
  )
  const isChanged = name !== user.name || isOtherEmail || phone !== (user.phoneNumber ?? "")
  useLeaveWarning(isChanged && !save.isRefreshing)
  return (
    <section aria-label={t("profile")}>
      <h2 className="panel-heading">{t("profile")}</h2>
      <Form onSubmit={() => save.mutate()}>
        <Stack gap="sm">
          <TextInput
            label={t("name")}
            required
            withAsterisk={false}
            maxLength={200}
            {...bindText(name, setName)}
          />
          <TextInput
            label={t("email")}
            type="email"
            required
            withAsterisk={false}
            {...bindText(email, setEmail)}
          />
          {isOtherEmail ? (
            <PasswordInput
              label={t("confirmEmail")}
              autoComplete="current-password"
              required
              withAsterisk={false}
              {...bindText(password, setPassword)}
            />
          ) : null}
          <TextInput label={t("phone")} {...bindText(phone, setPhone)} />
          <FormError error={save.error} />
          <Button type="submit" loading={save.isPending} style={{ alignSelf: "flex-start" }}>
            {t("save")}
          </Button>
        </Stack>
      </Form>
    </section>
  )
}

function PasswordSection() {
  const t = useMessages(accountMessages)
  const { user } = useSession()
  const [current, setCurrent] = useState("")
  const [[password, repeated], setPasswords] = useState<[string, string]>(["", ""])
  const [revokeTokens, setRevokeTokens] = useState(false)
  const change = useAction(
    () => {
      const body = { currentPassword: current, password, revokeTokens }
      return server.put("/api/v3/user/change-password", { body })
    },
    {
      refreshes: [ownUserQuery.queryKey],
      onDone: () => {
        setRevokeTokens(false)
        setCurrent("")
        setPasswords(["", ""])
        notifyDone(t("changed"))
      },
    },
  )
  const submit = () => {
    if (password === repeated) change.mutate()
  }
  return (
    <section aria-label={t("password")}>
      <h2 className="panel-heading">{t("password")}</h2>
      <Form onSubmit={submit}>
        <Stack gap="sm">
          {user.passwordExpired ? <p className="overdue">{t("expired")}</p> : null}
          <PasswordInput
            label={t("currentPassword")}
            autoComplete="current-password"
            required
            withAsterisk={false}
            size="md"
            {...bindText(current, setCurrent)}
          />
          <NewPassword value={password} repeated={repeated} onChange={(...both) => setPasswords(both)} />
          <Checkbox
            label={t("revokeTokens")}
            description={t("revokeHint")}
            {...bindChecked(revokeTokens, setRevokeTokens)}
          />
          <p className="quiet">{t("changeHint")}</p>
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
      </Form>
    </section>
  )
}
