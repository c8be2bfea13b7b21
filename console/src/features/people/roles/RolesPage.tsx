import "../../../ui/StatusBadge.css"
import "./roles.css"
import { Button, Checkbox, Group, Switch } from "@mantine/core"
import { IconPlus, IconSettings, IconTrash } from "@tabler/icons-react"
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { userMessages } from "../users/messages.ts"
import { roleName } from "../users/role-name.ts"
import { type Role, rolesQuery } from "../users/users.queries.ts"
import { roleMessages } from "./messages.ts"
import { RoleForm } from "./RoleForm.tsx"
import { RoleSettings } from "./RoleSettings.tsx"
import { deleteRole, grantedOf, hasEverything, missingFor, saveRole, switches } from "./roles.queries.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(rolesQuery)

type Changes = ReadonlyMap<string, ReadonlySet<string>>

/** All permissions by role, so that differences are easy to see. */
export function RolesPage() {
  const t = useMessages(roleMessages)
  const tUser = useMessages(userMessages)
  const tError = useMessages(errorMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const { data: roles } = useSuspenseQuery(rolesQuery)
  const [words, setWords] = useState("")
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const [changes, setChanges] = useState<Changes>(new Map())
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Role>()
  const [setting, setSetting] = useState<Role>()
  const granted = (role: Role) => changes.get(role._id) ?? grantedOf(role)
  const changeCount = roles.reduce(
    (sum, role) => sum + (changes.has(role._id) ? differenceOf(grantedOf(role), granted(role)) : 0),
    0,
  )
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: rolesQuery.queryKey }),
      client.invalidateQueries({ queryKey: ownUserQuery.queryKey }),
    ])
  const save = useAction(
    async () => {
      const refused = new Map<string, ReadonlySet<string>>()
      for (const role of roles) {
        const wanted = changes.get(role._id)
        if (!wanted) continue
        try {
          await saveRole(role, [...wanted])
        } catch (error) {
          refused.set(role._id, wanted)
          notifyFailed(roleName(role, tUser), errorText(error, tError))
        }
      }
      return refused
    },
    {
      refreshes: [rolesQuery.queryKey, ownUserQuery.queryKey],
      onDone: (refused) => {
        if (refused.size < changes.size) notifyDone(t("saved"))
        // Rejected changes stay selected, to be edited and saved again.
        setChanges(refused)
      },
    },
  )
  useLeaveWarning(changeCount > 0 && !save.isRefreshing)
  const remove = useAction((role: Role) => deleteRole(role._id), {
    refreshes: [rolesQuery.queryKey, ownUserQuery.queryKey],
    done: (_answer, role) => t("removed", { name: role.name }),
    failed: (role) => role.name,
  })
  const permissions = useMemo(() => {
    const all = roles[0]?.permissions ?? []
    const wanted = words.trim().toLowerCase()
    return all.filter(
      (entry) =>
        (wanted === "" || `${entry.displayName} ${entry.name}`.toLowerCase().includes(wanted)) &&
        (!onlyDifferent || new Set(roles.map((role) => grantedOf(role).has(entry.name))).size > 1),
    )
  }, [roles, words, onlyDifferent])
  const toggle = (role: Role, name: string) => {
    const next = new Set(granted(role))
    if (!next.delete(name)) next.add(name)
    setChanges(new Map([...changes, [role._id, next]]))
  }
  return (
    <>
      <div className="toolbar">
        <SearchInput label={t("search")} value={words} onChange={setWords} w={240} />
        <Switch label={t("onlyDifferent")} {...bindChecked(onlyDifferent, setOnlyDifferent)} />
        <Group ml="auto" gap="xs">
          {changeCount > 0 ? (
            <>
              <span className="quiet" role="status">
                {t("changed", { count: changeCount })}
              </span>
              <Button variant="default" onClick={() => setChanges(new Map())}>
                {t("discard")}
              </Button>
              <Button loading={save.isPending} onClick={() => save.mutate()}>
                {t("save")}
              </Button>
            </>
          ) : null}
          {may("create/role") ? (
            <ActionButton
              icon={IconPlus}
              label={t("add")}
              variant={changeCount > 0 ? "default" : "filled"}
              onClick={() => setAdding(true)}
            />
          ) : null}
        </Group>
      </div>
      <FormError error={save.error} />
      <div className="matrix">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("permission")}</th>
              {roles.map((role) => (
                <th key={role._id} className="matrix-role">
                  {roleName(role, tUser)}
                  {!hasEverything(role) &&
                  may("edit/role") &&
                  may("edit/permission") &&
                  !missingFor(role, may) ? (
                    <IconButton
                      icon={IconSettings}
                      label={`${t("settings")}: ${roleName(role, tUser)}`}
                      iconSize={14}
                      size="sm"
                      onClick={() => setSetting(role)}
                    />
                  ) : null}
                  {!role.isDefault && may("delete/role") && !missingFor(role, may) ? (
                    <IconButton
                      icon={IconTrash}
                      label={`${t("remove")}: ${role.name}`}
                      iconSize={14}
                      size="sm"
                      onClick={() => setRemoving(role)}
                    />
                  ) : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map((entry, index) => (
              <PermissionRow
                key={entry.name}
                entry={entry}
                isFirstOfMenu={permissions[index - 1]?.menu !== entry.menu}
                roles={roles}
                isGranted={(role) => granted(role).has(entry.name)}
                onToggle={toggle}
              />
            ))}
          </tbody>
        </table>
        {permissions.length === 0 ? <p className="quiet matrix-nothing">{t("nothingFound")}</p> : null}
      </div>
      {isAdding ? (
        <RoleForm roles={roles} onClose={() => setAdding(false)} onDone={() => void refresh()} />
      ) : null}
      {setting ? (
        <RoleSettings role={setting} onClose={() => setSetting(undefined)} onDone={() => void refresh()} />
      ) : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && remove.mutate(removing)}
      />
    </>
  )
}

interface PermissionRowProps {
  entry: { name: string; displayName: string; menu: string }
  isFirstOfMenu: boolean
  roles: readonly Role[]
  isGranted(role: Role): boolean
  onToggle(role: Role, name: string): void
}

function PermissionRow({ entry, isFirstOfMenu, roles, isGranted, onToggle }: PermissionRowProps) {
  const t = useMessages(roleMessages)
  const tUser = useMessages(userMessages)
  const { may, isOwner, user } = useSession()
  const reasonAgainst = (role: Role): string | undefined => {
    if (hasEverything(role)) return t("fixed")
    if (!may("edit/permission")) return t("needs", { permission: "edit/permission" })
    if (isOwner) return undefined
    if (role._id === user.role?._id) return t("ownRole")
    const missing = missingFor(role, may)
    if (missing) return t("holdsMore", { permission: missing })
    const isSwitch = switches.has(entry.name)
    if (!isSwitch && !may(entry.name)) return t("needs", { permission: entry.name })
    return isSwitch && grantedOf(role).has(entry.name) ? t("ownersOnly") : undefined
  }
  return (
    <tr data-first={isFirstOfMenu}>
      <td>
        {entry.displayName}
        <code className="quiet matrix-name">{entry.name}</code>
      </td>
      {roles.map((role) => {
        const reason = reasonAgainst(role)
        return (
          <td key={role._id} align="center" title={reason}>
            <Checkbox
              size="xs"
              aria-label={t("allows", { role: roleName(role, tUser), permission: entry.displayName })}
              checked={isGranted(role)}
              disabled={reason !== undefined}
              onChange={() => onToggle(role, entry.name)}
              style={{ display: "inline-block" }}
            />
          </td>
        )
      })}
    </tr>
  )
}

function differenceOf(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  return (
    [...before].filter((name) => !after.has(name)).length +
    [...after].filter((name) => !before.has(name)).length
  )
}
