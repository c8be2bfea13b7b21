import { Anchor, Button, Group, Skeleton, Stack, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { ownUserQuery } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { ButtonLink } from "../../../ui/links.tsx"
import { onboardingMessages } from "../../organization/onboarding/messages.ts"
import { NewPassword } from "../../organization/onboarding/NewPassword.tsx"
import { openOrganization } from "../memberships/memberships.queries.ts"
import { consoleHeader, useEnter } from "../sessions/enter.ts"
import { SignInFrame } from "../sessions/SignInFrame.tsx"
import { invitationMessages } from "./invitation-messages.ts"

interface Invitation {
  email: string
  organizationId: string
  organizationName: string
  needsPassword: boolean
}

/** Where the link of an invitation leads: new people choose a password, others join as who they are. */
export function AcceptInvitationPage() {
  const t = useMessages(invitationMessages)
  const tError = useMessages(errorMessages)
  const { code } = useSearch({ from: paths.acceptInvitation })
  const { data: invitation, error } = useQuery({
    queryKey: ["invitation", code],
    enabled: code !== undefined,
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/invitation/{code}", { code: code ?? "", signal })),
  })
  const decline = useAction(() => server.post("/api/v3/invitation/decline", { body: { code: code ?? "" } }))
  if (code === undefined || error)
    return (
      <SignInFrame title={t("deadTitle")}>
        <p role="alert">{error ? errorText(error, tError) : t("deadText")}</p>
        <p className="quiet">{t("askAgain")}</p>
        <Anchor component={Link} to={paths.signIn} size="sm">
          {t("toSignIn")}
        </Anchor>
      </SignInFrame>
    )
  if (!invitation)
    return (
      <SignInFrame title={t("title")}>
        <Skeleton h={160} />
      </SignInFrame>
    )
  if (decline.isSuccess)
    return (
      <SignInFrame title={t("declinedTitle")}>
        <p role="status">{t("declinedText", { organization: invitation.organizationName })}</p>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t("joinTitle", { organization: invitation.organizationName })}>
      <p className="quiet">{t("joinText", { email: invitation.email })}</p>
      {invitation.needsPassword ? (
        <NewPerson code={code} invitation={invitation} />
      ) : (
        <KnownPerson code={code} invitation={invitation} />
      )}
      <FormError error={decline.error} />
      <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => decline.mutate()}>
        {t("decline")}
      </Anchor>
    </SignInFrame>
  )
}

function NewPerson({ code, invitation }: { code: string; invitation: Invitation }) {
  const t = useMessages(invitationMessages)
  const tWord = useMessages(onboardingMessages)
  const enter = useEnter()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [[password, repeated], setPasswords] = useState<[string, string]>(["", ""])
  const accept = useAction(async () => {
    await server.post("/api/v3/invitation/accept", { body: { code, name: name.trim(), password } })
    const body = { email: invitation.email, password }
    const { data } = await server.post("/api/v3/login", { body, headers: consoleHeader })
    // A role that requires a code asks for it on the sign-in page.
    if ("_id" in data) await enter()
    else await navigate({ to: paths.signIn, search: {} })
  })
  const submit = () => {
    if (password === repeated) accept.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        <input type="hidden" autoComplete="username" value={invitation.email} />
        <TextInput
          label={tWord("name")}
          autoComplete="name"
          required
          withAsterisk={false}
          autoFocus
          maxLength={200}
          size="md"
          {...bindText(name, setName)}
        />
        <NewPassword
          label={tWord("password")}
          value={password}
          repeated={repeated}
          onChange={(...both) => setPasswords(both)}
        />
        <FormError error={accept.error} />
        <Button type="submit" size="md" mt="xs" loading={accept.isPending}>
          {t("join")}
        </Button>
      </Stack>
    </Form>
  )
}

function KnownPerson({ code, invitation }: { code: string; invitation: Invitation }) {
  const t = useMessages(invitationMessages)
  const client = useQueryClient()
  const { data: user, isPending } = useQuery({ ...ownUserQuery, retry: false })
  const accept = useAction(async () => {
    await server.post("/api/v3/invitation/accept", { body: { code } })
    client.clear()
    await openOrganization(invitation.organizationId)
  })
  const signOut = useMutation({
    mutationFn: () => server.post("/api/v3/logout"),
    onSettled: () => client.resetQueries({ queryKey: ownUserQuery.queryKey }),
  })
  if (isPending) return <Skeleton h={40} />
  if (!user)
    return (
      <Stack gap="sm">
        <p>{t("signInFirst")}</p>
        <ButtonLink to={paths.signIn} search={{ next: `${paths.acceptInvitation}?code=${code}` }} size="md">
          {t("toSignIn")}
        </ButtonLink>
      </Stack>
    )
  if (user.email !== invitation.email)
    return (
      <Stack gap="sm">
        <p role="alert">{t("otherPerson", { email: user.email })}</p>
        <Group>
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t("signOut")}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap="sm">
      <FormError error={accept.error} />
      <Button size="md" loading={accept.isPending} onClick={() => accept.mutate()}>
        {t("join")}
      </Button>
    </Stack>
  )
}
