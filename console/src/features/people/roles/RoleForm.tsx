import { Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { userMessages } from "../users/messages.ts"
import { roleName } from "../users/role-name.ts"
import type { Role } from "../users/users.queries.ts"
import { roleMessages } from "./messages.ts"
import { createRole, grantedOf } from "./roles.queries.ts"

export interface RoleFormProps {
  roles: readonly Role[]
  onClose(): void
  onDone(): void
}

/** A new role begins with what another may, and is then ticked in the matrix. */
export function RoleForm({ roles, onClose, onDone }: RoleFormProps) {
  const t = useMessages(roleMessages)
  const tUser = useMessages(userMessages)
  const [name, setName] = useState("")
  const [from, setFrom] = useState<string | null>(null)
  const make = useAction(
    () => {
      const pattern = roles.find((role) => role._id === from)
      return createRole(name.trim(), pattern ? [...grantedOf(pattern)] : [])
    },
    {
      done: () => t("created", { name: name.trim() }),
      onDone: () => {
        onDone()
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={t("addTitle")}
      size="sm"
      request={make}
      submit={t("create")}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <TextInput label={t("name")} required maxLength={100} data-autofocus {...bindText(name, setName)} />
      <Select
        label={t("from")}
        placeholder={t("nothing")}
        clearable
        data={roles.map((role) => ({ value: role._id, label: roleName(role, tUser) }))}
        value={from}
        onChange={setFrom}
      />
    </FormDialog>
  )
}
