import "./password-policies.css"
import { Badge, Group, NumberInput, Select, TextInput } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useIsChanged, useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { grantedOf, saveRole } from "../roles/roles.queries.ts"
import { userMessages } from "../users/messages.ts"
import { roleName } from "../users/role-name.ts"
import { type Role, rolesQuery } from "../users/users.queries.ts"
import { policyMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(policiesQuery), client.ensureQueryData(rolesQuery)])

type Policy = ResponseBody<"listPasswordPolicies">["data"][number]
type PolicyBody = RequestBody<"createPasswordPolicy">

const policiesQuery = dataQuery(["password-policies"], "/api/v3/password-policies", { query: { limit: -1 } })

/** What passwords must be like, by role. The built-in policies are patterns that can be copied. */
export function PasswordPoliciesPage() {
  const t = useMessages(policyMessages)
  const tUser = useMessages(userMessages)
  const tShell = useMessages(shellMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const { data: policies } = useSuspenseQuery(policiesQuery)
  const { data: roles } = useSuspenseQuery(rolesQuery)
  const [editing, setEditing] = useState<{ policy: Policy | undefined; body: PolicyBody }>()
  const [deleting, setDeleting] = useState<Policy>()
  const remove = useAction(
    (policy: Policy) => server.delete("/api/v3/password-policy/{policyId}", { policyId: policy._id }),
    {
      refreshes: [policiesQuery.queryKey],
      done: (_result, policy) => t("deleted", { name: policy.name }),
      failed: (policy) => policy.name,
    },
  )
  const mayEdit = may("edit/role")
  const reason = mayEdit ? undefined : tShell("needs", { permission: "edit/role" })
  const copy = (policy: Policy) =>
    setEditing({ policy: undefined, body: { ...bodyOf(policy), name: t("copyOf", { name: policy.name }) } })
  const [pattern] = policies
  const rolesOf = (policy: Policy) =>
    roles
      .filter((role) => (role.passwordPolicyId ?? pattern?._id) === policy._id)
      .map((role) => roleName(role, tUser))
  return (
    <>
      <div className="toolbar">
        <span className="quiet" style={{ flex: 1 }}>
          {t("text")}
        </span>
        <ActionButton
          icon={IconPlus}
          label={t("new")}
          onClick={() => {
            if (pattern) setEditing({ policy: undefined, body: { ...bodyOf(pattern), name: "" } })
          }}
          reason={reason}
        />
      </div>
      <DataTable
        rows={policies}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            kind: "name",
            cell: (policy) => (
              <>
                {policy.name} {isBuiltIn(policy) ? <Badge color="gray">{t("builtIn")}</Badge> : null}
              </>
            ),
          },
          {
            title: t("characters"),
            kind: "quiet",
            className: "no-break",
            cell: (policy) => t("summary", { length: policy.minimumLength, count: policy.complexity }),
          },
          {
            title: t("expiration"),
            from: "md",
            kind: "quiet",
            cell: (policy) => (policy.expiration < 0 ? t("never") : policy.expiration),
          },
          {
            title: t("accountLockout"),
            from: "sm",
            kind: "quiet",
            cell: (policy) => t("lock", { count: policy.accountLockout }),
          },
          {
            title: t("roles"),
            from: "sm",
            kind: "quiet",
            cell: (policy) => rolesOf(policy).join(", ") || t("noRole"),
          },
          {
            title: t("edit"),
            kind: "actions",
            cell: (policy) =>
              mayEdit ? (
                <Group gap={6} justify="flex-end" wrap="nowrap" className="row-actions">
                  <RowButton label={t("copy")} of={policy.name} onClick={() => copy(policy)} />
                  {isBuiltIn(policy) ? null : (
                    <>
                      <RowButton
                        label={t("edit")}
                        of={policy.name}
                        onClick={() => setEditing({ policy, body: bodyOf(policy) })}
                      />
                      <RowButton
                        label={t("delete")}
                        of={policy.name}
                        variant="subtle"
                        color="red"
                        onClick={() => setDeleting(policy)}
                      />
                    </>
                  )}
                </Group>
              ) : null,
          },
        ]}
      />
      <RolePolicies roles={roles} policies={policies} isLocked={!mayEdit} />
      {editing ? (
        <PolicyForm
          policy={editing.policy}
          start={editing.body}
          onClose={() => setEditing(undefined)}
          onSaved={() => client.invalidateQueries({ queryKey: policiesQuery.queryKey })}
        />
      ) : null}
      <ConfirmDialog
        isOpen={deleting !== undefined}
        title={t("deleteTitle", { name: deleting?.name ?? "" })}
        text={t("deleteText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setDeleting(undefined)}
        onConfirm={() => deleting && remove.mutate(deleting)}
      />
    </>
  )
}

function isBuiltIn(policy: Policy): boolean {
  return policy.organizationId === "system"
}

const numbers = [
  { key: "minimumLength", min: 6, max: 128 },
  { key: "complexity", min: 1, max: 4 },
  { key: "expiration", min: -1, max: 3650 },
  { key: "expirationNotificationDays", min: 0, max: 365 },
  { key: "minimumDuration", min: -1, max: 365 },
  { key: "accountLockout", min: 1, max: 1000 },
  { key: "accountLockoutDuration", min: -1, max: 525_600 },
  { key: "passwordHistory", min: 0, max: 100 },
] as const

function bodyOf(policy: Policy): PolicyBody {
  return {
    name: policy.name,
    minimumLength: policy.minimumLength,
    complexity: policy.complexity,
    expiration: policy.expiration,
    expirationNotificationDays: policy.expirationNotificationDays,
    minimumDuration: policy.minimumDuration,
    accountLockout: policy.accountLockout,
    accountLockoutDuration: policy.accountLockoutDuration,
    passwordHistory: policy.passwordHistory,
  }
}

/** Each role with the policy that it follows; choosing another one takes effect immediately. */
function RolePolicies(props: { roles: readonly Role[]; policies: readonly Policy[]; isLocked: boolean }) {
  const t = useMessages(policyMessages)
  const tUser = useMessages(userMessages)
  const follow = useAction(
    ({ role, policy }: { role: Role; policy: Policy }) =>
      saveRole({ ...role, passwordPolicyId: policy._id }, [...grantedOf(role)]),
    {
      refreshes: [rolesQuery.queryKey],
      done: (_result, { role, policy }) =>
        t("followed", { role: roleName(role, tUser), policy: policy.name }),
    },
  )
  return (
    <section className="panel-form" aria-label={t("whoFollows")}>
      <h2 className="panel-heading">{t("whoFollows")}</h2>
      <FormError error={follow.error} />
      {props.roles.map((role) => (
        <Select
          key={role._id}
          label={roleName(role, tUser)}
          disabled={props.isLocked || follow.isPending}
          data={props.policies.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={role.passwordPolicyId ?? props.policies[0]?._id ?? null}
          onChange={(id) => {
            const policy = props.policies.find(({ _id }) => _id === id)
            if (policy) follow.mutate({ role, policy })
          }}
        />
      ))}
    </section>
  )
}

function PolicyForm(props: {
  policy: Policy | undefined
  start: PolicyBody
  onClose(): void
  onSaved(): Promise<void>
}) {
  const t = useMessages(policyMessages)
  const [body, setBody] = useState(props.start)
  const save = useAction(
    async () => {
      if (props.policy) {
        await server.put("/api/v3/password-policy/{policyId}", { policyId: props.policy._id, body })
      } else await server.post("/api/v3/password-policies", { body })
    },
    {
      done: () => t("saved", { name: body.name }),
      onDone: async () => {
        await props.onSaved()
        props.onClose()
      },
    },
  )
  const close = useLeaveWarning(useIsChanged(body) && !save.isAccepted, props.onClose)
  const hints: Record<string, string> = {
    complexity: t("complexityHint"),
    expiration: t("minusOne"),
    minimumDuration: t("minusOne"),
    accountLockoutDuration: t("lockMinusOne"),
  }
  return (
    <FormDialog
      title={props.policy?.name ?? t("newTitle")}
      history={props.policy && { objectType: "password-policy", objectId: props.policy._id }}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={close}
    >
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        {...bindText(body.name, (name) => setBody({ ...body, name }))}
      />
      <div className="two-columns">
        {numbers.map(({ key, min, max }) => (
          <NumberInput
            key={key}
            label={t(key)}
            description={hints[key]}
            min={min}
            max={max}
            allowDecimal={false}
            required
            withAsterisk={false}
            value={body[key]}
            onChange={(value) => {
              if (value !== "") setBody({ ...body, [key]: Number(value) })
            }}
          />
        ))}
      </div>
    </FormDialog>
  )
}
