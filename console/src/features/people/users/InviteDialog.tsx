import { Alert, Button, Group, Select, Stack, Textarea } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../../api/client.ts"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import { useNewMember } from "./use-new-member.ts"
import { usersQuery } from "./users.queries.ts"

const messages = defineMessages("people.inviteDialog", {
  title: "Invite people",
  emails: "E-mails",
  emailsHint:
    "Separated by commas or lines, at most 100. Each person receives an e-mail with a link. Without a mail server, it is stored under Settings, Outbox.",
  sendNone: "Invite",
  send: "Invite {count} person|Invite {count} people",
  sent: "{count} invitation is sent|{count} invitations are sent",
  refused: "{count} could not be invited|{count} could not be invited",
  tooMany: "At most 100 at a time",
  wrong: "Not an e-mail address: {emails}",
})

const maxAtOnce = 100
const addressPattern = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

/** Invites many people into one role and the same hubs; those who cannot be invited are listed with the reason. */
export default function InviteDialog({ onClose }: { onClose(): void }) {
  const t = useMessages(messages)
  const tUser = useMessages(userMessages)
  const client = useQueryClient()
  const { offered, role, hubs, roleId, hubId, setRole, setHubs } = useNewMember()
  const [text, setText] = useState("")
  // An address is judged when the person is through with typing.
  const [isLeft, setLeft] = useState(false)
  const emails = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ""))]
  const wrong = emails.filter((email) => !addressPattern.test(email))
  const invite = useAction(
    async (): Promise<string[]> => {
      const invitations = emails.map((email) => ({ email: [email], roleId, hubId }))
      try {
        const answer = await server.post("/api/v3/user/invites", { body: { invitations } })
        if (answer.success > 0) notifyDone(t("sent", { count: answer.success }))
        return answer.errors
      } finally {
        await client.invalidateQueries({ queryKey: usersQuery.queryKey })
      }
    },
    {
      onDone: (errors) => {
        if (errors.length === 0) onClose()
      },
    },
  )
  const close = useLeaveWarning(text.trim() !== "" && !invite.isAccepted, onClose)
  const submit = () => {
    setLeft(true)
    if (wrong.length === 0) invite.mutate()
  }
  const refused = invite.data ?? []
  const needsHub = role?.isAdmin !== true
  return (
    <OpenModal onClose={close} title={t("title")}>
      <Form onSubmit={submit}>
        <Stack gap="sm">
          <Textarea
            label={t("emails")}
            description={t("emailsHint")}
            autosize
            minRows={3}
            maxRows={10}
            required
            withAsterisk={false}
            data-autofocus
            error={
              emails.length > maxAtOnce
                ? t("tooMany")
                : isLeft && wrong.length > 0
                  ? t("wrong", { emails: wrong })
                  : undefined
            }
            onBlur={() => setLeft(true)}
            {...bindText(text, setText)}
          />
          <Select
            label={tUser("role")}
            data={offered.map((role) => ({ value: role._id, label: roleName(role, tUser) }))}
            value={roleId}
            onChange={setRole}
          />
          {needsHub ? (
            <ManySelect
              label={tUser("hubs")}
              data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
              value={hubId}
              onChange={setHubs}
            />
          ) : null}
          <FormError error={invite.error instanceof ApiError ? invite.error : undefined} />
          {refused.length > 0 ? (
            <Alert color="red" title={t("refused", { count: refused.length })} role="alert">
              <ul className="value-list">
                {refused.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </Alert>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {invite.isSuccess ? t("close") : t("cancel")}
            </Button>
            {invite.isSuccess ? null : (
              <Button
                type="submit"
                loading={invite.isPending}
                disabled={emails.length === 0 || emails.length > maxAtOnce || roleId === ""}
              >
                {emails.length === 0 ? t("sendNone") : t("send", { count: emails.length })}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </OpenModal>
  )
}
