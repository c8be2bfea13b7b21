import { Modal, Select, Stack, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { FormFoot } from "../../../ui/FormFoot.tsx"
import { notifyDone } from "../../../ui/notify.ts"
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
  const make = useMutation({
    mutationFn: () => {
      const pattern = roles.find((role) => role._id === from)
      return createRole(name.trim(), pattern ? [...grantedOf(pattern)] : [])
    },
    onSuccess: () => {
      notifyDone(t("created", { name: name.trim() }))
      onDone()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={t("addTitle")} size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("name")}
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t("from")}
            placeholder={t("nothing")}
            clearable
            data={roles.map((role) => ({ value: role._id, label: roleName(role, tUser) }))}
            value={from}
            onChange={setFrom}
          />
          <FormFoot
            error={make.error}
            isPending={make.isPending}
            cancel={t("cancel")}
            submit={t("create")}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
