import { Alert, Button, Group, PasswordInput, Select, Stack, Text, TextInput } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { useSession } from "../../../session/session.ts"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { Panel } from "../../../ui/layout/Panel.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import { teamsQuery } from "./teams.queries.ts"
import { rolesQuery, type User, usersQuery } from "./users.queries.ts"
import { WhyCan } from "./WhyCan.tsx"

const messages = defineMessages("people.personPanel", {
  save: "Save changes",
  disable: "Disable",
  enable: "Enable again",
  disableHint: "Ends the sessions of this person immediately. Undoing this does not bring them back",
  unlock: "Unlock",
  unlocked: "{name} can sign in again",
  newPasswordHint:
    "At least 8 characters: upper- and lower-case letters, digits and symbols. Setting it cannot be undone",
  reset: "Set password",
  remove: "Remove from the organization",
  removeTitle: "Remove {name}?",
  removeText:
    "Ongoing tasks of this person become unassigned. Their sessions end. If you undo this, they may have to choose a new password.",
  removed: "{name} was removed",
  access: "Access",
  reinvite: "Send the invitation again",
  reinvited: "A new invitation was sent to {name}",
})

/** One person: role, hubs, access, and why something is allowed or not. */
export function PersonPanel({ user, onClose }: { user: User; onClose(): void }) {
  const t = useMessages(messages)
  const { may, user: self } = useSession()
  const client = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const [password, setPassword] = useState("")
  const userId = user._id
  const refresh = () => client.invalidateQueries({ queryKey: usersQuery.queryKey })
  const notifySuccess = (message: string) => async () => {
    notifyDone(message)
    await refresh()
  }
  const status = useAction(
    (next: "active" | "disabled") =>
      server.patch("/api/v3/user/{userId}", { userId, body: { status: next } }),
    { onDone: notifySuccess(t("saved")) },
  )
  const unlock = useAction(() => server.post("/api/v3/member/unlock", { body: { email: user.email } }), {
    onDone: notifySuccess(t("unlocked", { name: user.name })),
  })
  const reset = useAction(
    () => server.post("/api/v3/member/reset-password", { body: { userId, password } }),
    {
      onDone: async () => {
        setPassword("")
        await notifySuccess(t("saved"))()
      },
    },
  )
  const reinvite = useAction(() => server.post("/api/v3/user/reinvite", { body: { email: [user.email] } }), {
    onDone: notifySuccess(t("reinvited", { name: user.name })),
  })
  const remove = useAction(() => server.delete("/api/v3/member/{userId}", { userId }), {
    onDone: async () => {
      await notifySuccess(t("removed", { name: user.name }))()
      onClose()
    },
  })
  const isSelf = self._id === userId
  const [isChanged, setChanged] = useState(false)
  const close = useLeaveWarning(isChanged || password !== "", onClose)
  return (
    <Panel onClose={close} size={460} title={user.name}>
      <WithHistory of={{ objectType: "user", objectId: userId }}>
        <Stack gap="lg">
          <PersonEdit user={user} onChanged={setChanged} />
          {isSelf ? null : (
            <section aria-label={t("access")}>
              <h3 className="panel-heading">{t("access")}</h3>
              <Stack gap="sm">
                <FormError
                  error={status.error ?? unlock.error ?? reset.error ?? reinvite.error ?? remove.error}
                />
                {may("invite") && (user.status === "pending" || user.status === "reject") ? (
                  <Button
                    variant="default"
                    loading={reinvite.isPending}
                    onClick={() => reinvite.mutate()}
                    style={{ alignSelf: "flex-start" }}
                  >
                    {t("reinvite")}
                  </Button>
                ) : null}
                {may("edit/member") ? (
                  <Group gap="xs">
                    <Button
                      variant="default"
                      loading={status.isPending}
                      onClick={() => status.mutate(user.status === "disabled" ? "active" : "disabled")}
                    >
                      {user.status === "disabled" ? t("enable") : t("disable")}
                    </Button>
                    <Text size="xs" c="dimmed">
                      {t("disableHint")}
                    </Text>
                  </Group>
                ) : null}
                {may("unlock/member") && user.lockExpiry ? (
                  <Button
                    variant="default"
                    loading={unlock.isPending}
                    onClick={() => unlock.mutate()}
                    style={{ alignSelf: "flex-start" }}
                  >
                    {t("unlock")}
                  </Button>
                ) : null}
                {may("reset-password/member") ? (
                  <Group align="end" gap="xs">
                    <PasswordInput
                      label={t("newPassword")}
                      description={t("newPasswordHint")}
                      autoComplete="new-password"
                      {...bindText(password, setPassword)}
                      style={{ flex: 1 }}
                    />
                    <Button
                      variant="default"
                      disabled={password.length < 8}
                      loading={reset.isPending}
                      onClick={() => reset.mutate()}
                    >
                      {t("reset")}
                    </Button>
                  </Group>
                ) : null}
                {may("delete/member") ? (
                  <Button
                    variant="subtle"
                    color="red"
                    onClick={() => setRemoving(true)}
                    style={{ alignSelf: "flex-start" }}
                  >
                    {t("remove")}
                  </Button>
                ) : null}
              </Stack>
            </section>
          )}
          {may("view/role") ? <WhyCan userId={userId} /> : null}
        </Stack>
      </WithHistory>
      <ConfirmDialog
        isOpen={isRemoving}
        title={t("removeTitle", { name: user.name })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      />
    </Panel>
  )
}

function PersonEdit({ user, onChanged }: { user: User; onChanged(isChanged: boolean): void }) {
  const t = useMessages(messages)
  const tUser = useMessages(userMessages)
  const { may, isOwner } = useSession()
  const { data: readRoles = [] } = useQuery({ ...rolesQuery, enabled: may("view/role") })
  // Without leave to see the roles the person's own one is still called by its name.
  const roles = readRoles.length > 0 ? readRoles : user.role ? [user.role] : []
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const [name, setName] = useState(user.name)
  const [roleId, setRoleId] = useState(user.roleId)
  const [hubId, setHubId] = useState(user.hubId)
  const [teamChoice, setTeamChoice] = useState(user.teamId)
  // Teams belong to hubs: removing a hub removes its teams.
  const offeredTeams = teams.filter((team) => hubId.includes(team.hubId))
  const teamId =
    teams.length === 0 ? teamChoice : teamChoice.filter((id) => offeredTeams.some((team) => team._id === id))
  const [phoneNumber, setPhoneNumber] = useState(user.phoneNumber ?? "")
  const save = useAction(
    () =>
      server.patch("/api/v3/user/{userId}", {
        userId: user._id,
        body: {
          name: name.trim(),
          roleId,
          hubId,
          phoneNumber: phoneNumber.trim() || null,
          ...(may("view/team") ? { teamId } : {}),
        },
      }),
    { refreshes: [usersQuery.queryKey], done: () => t("saved") },
  )
  const isChanged =
    name.trim() !== user.name ||
    roleId !== user.roleId ||
    phoneNumber.trim() !== (user.phoneNumber ?? "") ||
    hubId.toSorted().join() !== user.hubId.toSorted().join() ||
    teamId.toSorted().join() !== user.teamId.toSorted().join()
  const isUnsaved = isChanged && !save.isRefreshing
  useEffect(() => onChanged(isUnsaved), [onChanged, isUnsaved])
  const isLocked = !may("edit/member") || (user.role?.isAdmin === true && !isOwner)
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="sm">
        <TextInput label={tUser("name")} required disabled={isLocked} {...bindText(name, setName)} />
        <TextInput label={tUser("email")} value={user.email} readOnly />
        <Group grow align="start">
          <Select
            label={tUser("role")}
            disabled={isLocked}
            data={roles
              .filter((role) => isOwner || !role.isAdmin)
              .map((role) => ({ value: role._id, label: roleName(role, tUser) }))}
            value={roleId}
            onChange={(value) => setRoleId(value ?? user.roleId)}
          />
          <TextInput label={tUser("phone")} disabled={isLocked} {...bindText(phoneNumber, setPhoneNumber)} />
        </Group>
        {user.role?.isAdmin ? (
          <Alert color="gray">{tUser("allHubs")}</Alert>
        ) : (
          <ManySelect
            label={tUser("hubs")}
            disabled={isLocked}
            data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
            value={hubId}
            onChange={setHubId}
          />
        )}
        {offeredTeams.length > 0 && !user.role?.isAdmin ? (
          <ManySelect
            label={tUser("teams")}
            description={tUser("teamsHint")}
            disabled={isLocked}
            data={offeredTeams.map((team) => ({ value: team._id, label: team.name }))}
            value={teamId}
            onChange={setTeamChoice}
          />
        ) : null}
        <FormError error={save.error} />
        {isLocked ? null : (
          <Button
            type="submit"
            loading={save.isPending}
            disabled={!isChanged}
            style={{ alignSelf: "flex-start" }}
          >
            {t("save")}
          </Button>
        )}
      </Stack>
    </Form>
  )
}
