import { Button, Group, PasswordInput, Select, Text, TextInput } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import { useNewMember } from "./use-new-member.ts"
import { createUser, usersQuery } from "./users.queries.ts"

/** A new person starts as a field user of the hub that the console shows: the most frequent request. */
export function PersonForm({ onClose }: { onClose(): void }) {
  const t = useMessages(userMessages)
  const { offered, hubs, roleId, hubId, setRole, setHubs } = useNewMember()
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [phoneNumber, setPhoneNumber] = useState("")
  const [password, setPassword] = useState("")
  const [isKept, setKept] = useState(false)
  const save = useAction(
    () =>
      createUser({
        name: name.trim(),
        email: email.trim(),
        roleId,
        hubId,
        ...(phoneNumber.trim() ? { phoneNumber: phoneNumber.trim() } : {}),
        ...(password ? { password } : {}),
      }),
    {
      refreshes: [usersQuery.queryKey],
      done: () => t("saved", { name: name.trim() }),
      onDone: (answer) => {
        if (isInvitationKept(answer)) setKept(true)
        else onClose()
      },
    },
  )
  useLeaveWarning((name !== "" || email !== "") && !save.isAccepted)
  if (isKept) return <KeptInvitation name={name.trim()} onClose={onClose} />
  return (
    <FormDialog
      title={t("addTitle")}
      request={save}
      submit={t("save")}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput label={t("name")} required data-autofocus {...bindText(name, setName)} />
      <TextInput label={t("email")} type="email" required autoComplete="off" {...bindText(email, setEmail)} />
      <Group grow align="start">
        <Select
          label={t("role")}
          required
          allowDeselect={false}
          data={offered.map((role) => ({ value: role._id, label: roleName(role, t) }))}
          value={roleId}
          onChange={setRole}
        />
        <TextInput label={t("phone")} {...bindText(phoneNumber, setPhoneNumber)} />
      </Group>
      <ManySelect
        label={t("hubs")}
        data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
        value={hubId}
        onChange={setHubs}
        error={hubs.length === 0 ? t("needsHub") : undefined}
        searchable={hubs.length > 8}
      />
      <PasswordInput
        label={t("password")}
        description={t("passwordHint")}
        autoComplete="new-password"
        minLength={8}
        {...bindText(password, setPassword)}
      />
    </FormDialog>
  )
}

type Added = Awaited<ReturnType<typeof createUser>>

const isInvitationKept = ({ data, hasMailServer }: Added) => data.status === "pending" && !hasMailServer

/** Nobody receives the invitation until somebody takes it from the outbox. */
function KeptInvitation({ name, onClose }: { name: string; onClose(): void }) {
  const t = useMessages(userMessages)
  const { may } = useSession()
  return (
    <OpenModal onClose={onClose} title={t("saved", { name })}>
      <Text size="sm">{t("invitationKept")}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t("close")}
        </Button>
        {may("edit/organization") ? (
          <Button renderRoot={(props) => <Link {...props} to={paths.outbox} />}>{t("openOutbox")}</Button>
        ) : null}
      </Group>
    </OpenModal>
  )
}
