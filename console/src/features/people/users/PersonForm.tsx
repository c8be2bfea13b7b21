import { Group, Modal, MultiSelect, PasswordInput, Select, Stack, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { FormFoot } from "../../../ui/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import { createUser, rolesQuery, usersQuery } from "./users.queries.ts"

export function PersonForm({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const t = useMessages(userMessages)
  return (
    <Modal opened={isOpen} onClose={onClose} title={t("addTitle")} size="md">
      {isOpen ? <PersonFields onClose={onClose} /> : null}
    </Modal>
  )
}

/** A new person starts as a field user of the hub that the console shows: the most frequent request. */
function PersonFields({ onClose }: { onClose(): void }) {
  const t = useMessages(userMessages)
  const { isOwner } = useSession()
  const client = useQueryClient()
  const chosenHub = useChosenHub()
  const { data: roles = [] } = useQuery(rolesQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const fieldUser = roles.find((role) => role.isDefault && role.name === "field user")
  const onlyHub = hubs.length === 1 ? hubs[0]?._id : chosenHub
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [phoneNumber, setPhoneNumber] = useState("")
  const [password, setPassword] = useState("")
  const [roleChoice, setRoleChoice] = useState<string | null>(null)
  const [hubChoice, setHubChoice] = useState<string[]>()
  const roleId = roleChoice ?? fieldUser?._id ?? null
  const hubId = hubChoice ?? (onlyHub ? [onlyHub] : [])
  const save = useMutation({
    mutationFn: () =>
      createUser({
        name: name.trim(),
        email: email.trim(),
        roleId: roleId ?? "",
        hubId,
        ...(phoneNumber.trim() ? { phoneNumber: phoneNumber.trim() } : {}),
        ...(password ? { password } : {}),
      }),
    onSuccess: async () => {
      notifyDone(t("saved", { name: name.trim() }))
      await client.invalidateQueries({ queryKey: usersQuery.queryKey })
      onClose()
    },
  })
  useLeaveWarning((name !== "" || email !== "") && !save.isSuccess)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const offered = roles.filter((role) => isOwner || !role.isAdmin)
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t("name")}
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t("email")}
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Group grow align="start">
          <Select
            label={t("role")}
            required
            allowDeselect={false}
            data={offered.map((role) => ({ value: role._id, label: roleName(role, t) }))}
            value={roleId}
            onChange={setRoleChoice}
          />
          <TextInput
            label={t("phone")}
            value={phoneNumber}
            onChange={(event) => setPhoneNumber(event.currentTarget.value)}
          />
        </Group>
        <MultiSelect
          label={t("hubs")}
          data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
          value={hubId}
          onChange={setHubChoice}
          error={hubs.length === 0 ? t("needsHub") : undefined}
          searchable={hubs.length > 8}
        />
        <PasswordInput
          label={t("password")}
          description={t("passwordHint")}
          autoComplete="new-password"
          minLength={8}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormFoot request={save} submit={t("save")} onCancel={onClose} />
      </Stack>
    </form>
  )
}
