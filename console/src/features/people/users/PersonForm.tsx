import { Group, MultiSelect, PasswordInput, Select, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { bindText } from "../../../ui/bind.ts"
import { FormDialog } from "../../../ui/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { useAction } from "../../../ui/use-action.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import { createUser, rolesQuery, usersQuery } from "./users.queries.ts"

/** A new person starts as a field user of the hub that the console shows: the most frequent request. */
export function PersonForm({ onClose }: { onClose(): void }) {
  const t = useMessages(userMessages)
  const { isOwner } = useSession()
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
  const save = useAction(
    () =>
      createUser({
        name: name.trim(),
        email: email.trim(),
        roleId: roleId ?? "",
        hubId,
        ...(phoneNumber.trim() ? { phoneNumber: phoneNumber.trim() } : {}),
        ...(password ? { password } : {}),
      }),
    { refreshes: [usersQuery.queryKey], done: () => t("saved", { name: name.trim() }), onDone: onClose },
  )
  useLeaveWarning((name !== "" || email !== "") && !save.isSuccess)
  const offered = roles.filter((role) => isOwner || !role.isAdmin)
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
          onChange={setRoleChoice}
        />
        <TextInput label={t("phone")} {...bindText(phoneNumber, setPhoneNumber)} />
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
        {...bindText(password, setPassword)}
      />
    </FormDialog>
  )
}
