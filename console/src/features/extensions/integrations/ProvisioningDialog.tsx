import { ActionIcon, Fieldset, Group, Select, Switch, TextInput } from "@mantine/core"
import { IconPlus, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { useIsChanged, useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { userMessages } from "../../people/users/messages.ts"
import { roleName } from "../../people/users/role-name.ts"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { rolesQuery } from "../../people/users/users.queries.ts"
import {
  type Integration,
  type Provisioning,
  removeProvisioning,
  saveProvisioning,
} from "./integrations.queries.ts"

export const provisioningMessages = defineMessages("extensions.provisioning", {
  title: "New members and groups",
  creates: "Everyone who signs in with this provider becomes a member",
  createsHint: "Only with addresses in: {domains}",
  noDomain: "First enter the e-mail domains of this connection.",
  role: "Role of people without a group that has a role",
  hubs: "Hubs of new members",
  teams: "Teams of new members",
  claim: "Claim or attribute with the groups",
  claimHint: "Such as groups or roles. Leave empty to read no groups.",
  scope: "Further scopes",
  scopeHint: "Requested besides openid email profile, if the provider needs one for groups",
  groups: "Groups and what they grant",
  group: "Group, as the provider sends it",
  groupRole: "Role",
  noRole: "No role",
  addGroup: "Add a group",
  removeGroup: "Remove group {name}",
  order:
    "If a person is in several groups, the first one with a role decides the role. Hubs and teams add up.",
  applies: "Groups apply",
  firstSignIn: "At the first sign-in only",
  everySignIn: "At every sign-in",
  needsGroup: "Only people in one of these groups become members",
  off: "Switch off",
  isOn: "New members join at sign-in",
  readsGroups: "Groups apply at every sign-in",
})

const empty: Provisioning = {
  createsMembers: true,
  needsGroup: false,
  roleId: "",
  hubId: [],
  teamId: [],
  groupClaim: null,
  scope: null,
  appliesGroups: "everySignIn",
  groups: [],
}

/** Empty texts are none; groups go with their claim. */
function tidy(settings: Provisioning): Provisioning {
  const groupClaim = settings.groupClaim?.trim() || null
  return {
    ...settings,
    groupClaim,
    scope: settings.scope?.trim() || null,
    groups: groupClaim ? settings.groups : [],
  }
}

/** Who becomes a member by signing in with a connection, and what the groups of its provider give. */
export function ProvisioningDialog({ integration, onClose }: { integration: Integration; onClose(): void }) {
  const t = useMessages(provisioningMessages)
  const [settings, setSettings] = useState<Provisioning>(integration.provisioning ?? empty)
  const change = (part: Partial<Provisioning>) => setSettings({ ...settings, ...part })
  const options = { refreshes: [["integrations"]], onDone: onClose }
  const save = useAction(() => saveProvisioning(integration._id, tidy(settings)), options)
  const remove = useAction(() => removeProvisioning(integration._id), options)
  const close = useLeaveWarning(useIsChanged(settings) && !save.isAccepted && !remove.isAccepted, onClose)
  const domains = integration.emailDomains.join(", ")
  return (
    <FormDialog
      title={t("title")}
      size="lg"
      gap="md"
      request={save.error ? save : remove.error ? remove : save}
      isDisabled={settings.roleId === ""}
      aside={
        integration.provisioning ? (
          <ActionButton icon={IconX} label={t("off")} onClick={() => remove.mutate()} />
        ) : undefined
      }
      onSubmit={() => save.mutate()}
      onClose={close}
    >
      <Switch
        label={t("creates")}
        description={domains === "" ? t("noDomain") : t("createsHint", { domains })}
        {...bindChecked(settings.createsMembers, (createsMembers) => change({ createsMembers }))}
      />
      <RoleSelect
        label={t("role")}
        isRequired
        value={settings.roleId}
        onChange={(roleId) => change({ roleId: roleId ?? "" })}
      />
      <Places labels={[t("hubs"), t("teams")]} places={settings} onChange={change} />
      <TextInput
        label={t("claim")}
        description={t("claimHint")}
        maxLength={300}
        {...bindText(settings.groupClaim ?? "", (groupClaim) => change({ groupClaim }))}
      />
      {integration.integrationType === "oidc" ? (
        <TextInput
          label={t("scope")}
          description={t("scopeHint")}
          maxLength={200}
          {...bindText(settings.scope ?? "", (scope) => change({ scope }))}
        />
      ) : null}
      {!settings.groupClaim?.trim() ? null : <GroupsFields settings={settings} onChange={change} />}
    </FormDialog>
  )
}

interface GroupsFieldsProps {
  settings: Provisioning
  onChange(part: Partial<Provisioning>): void
}

function GroupsFields({ settings, onChange }: GroupsFieldsProps) {
  const t = useMessages(provisioningMessages)
  const { groups } = settings
  type Entry = Provisioning["groups"][number]
  const changeAt = (index: number, part: Partial<Entry>) =>
    onChange({ groups: groups.map((entry, at) => (at === index ? { ...entry, ...part } : entry)) })
  return (
    <>
      <p className="quiet">{t("order")}</p>
      {groups.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and their names are being typed
        <Fieldset key={index} legend={entry.group || t("groups")}>
          <Group align="end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t("group")}
              required
              maxLength={300}
              {...bindText(entry.group, (group) => changeAt(index, { group }))}
            />
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t("removeGroup", { name: entry.group })}
              onClick={() => onChange({ groups: groups.filter((_, at) => at !== index) })}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
          <RoleSelect
            label={t("groupRole")}
            value={entry.roleId}
            onChange={(roleId) => changeAt(index, { roleId })}
          />
          <Places places={entry} onChange={(part) => changeAt(index, part)} />
        </Fieldset>
      ))}
      <Group>
        <ActionButton
          icon={IconPlus}
          label={t("addGroup")}
          size="xs"
          onClick={() =>
            onChange({ groups: [...groups, { group: "", roleId: null, hubId: [], teamId: [] }] })
          }
        />
      </Group>
      {groups.length === 0 ? null : (
        <>
          <Select
            label={t("applies")}
            data={(["everySignIn", "firstSignIn"] as const).map((value) => ({ value, label: t(value) }))}
            value={settings.appliesGroups}
            allowDeselect={false}
            onChange={(value) => value && onChange({ appliesGroups: value })}
          />
          <Switch
            label={t("needsGroup")}
            {...bindChecked(settings.needsGroup, (needsGroup) => onChange({ needsGroup }))}
          />
        </>
      )}
    </>
  )
}

interface RoleSelectProps {
  label: string
  isRequired?: boolean
  value: string | null
  onChange(roleId: string | null): void
}

function RoleSelect({ label, isRequired = false, value, onChange }: RoleSelectProps) {
  const t = useMessages(provisioningMessages)
  const tUser = useMessages(userMessages)
  const { data: roles = [] } = useQuery(rolesQuery)
  const offered = roles.filter(({ name, isDefault }) => !(isDefault && name === "owner"))
  return (
    <Select
      label={label}
      data={offered.map((role) => ({ value: role._id, label: roleName(role, tUser) }))}
      value={value || null}
      required={isRequired}
      clearable={!isRequired}
      allowDeselect={!isRequired}
      placeholder={isRequired ? undefined : t("noRole")}
      onChange={onChange}
    />
  )
}

interface PlacesProps {
  labels?: readonly [string, string]
  places: { hubId: string[]; teamId: string[] }
  onChange(part: { hubId: string[] } | { teamId: string[] }): void
}

function Places({ labels, places, onChange }: PlacesProps) {
  const tUser = useMessages(userMessages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const optionsOf = (rows: readonly { _id: string; name: string }[]) =>
    rows.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <>
      <ManySelect
        label={labels?.[0] ?? tUser("hubs")}
        data={optionsOf(hubs)}
        value={places.hubId}
        onChange={(hubId) => onChange({ hubId })}
      />
      {teams.length === 0 ? null : (
        <ManySelect
          label={labels?.[1] ?? tUser("teams")}
          data={optionsOf(teams)}
          value={places.teamId}
          onChange={(teamId) => onChange({ teamId })}
        />
      )}
    </>
  )
}
