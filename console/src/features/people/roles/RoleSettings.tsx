import { NumberInput, Select, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { flowsQuery } from "../../work/flows/flows.queries.ts"
import { userMessages } from "../users/messages.ts"
import { roleName } from "../users/role-name.ts"
import type { Role } from "../users/users.queries.ts"
import { roleMessages } from "./messages.ts"
import {
  flowsOf,
  type TrackingSettings,
  trackingNumbers,
  trackingOf,
  trackingProfiles,
  withSettings,
} from "./role-settings.ts"
import { grantedOf, saveRole } from "./roles.queries.ts"

const profileNames = {
  "Power Saving": "powerSaving",
  Balance: "balance",
  "High Accuracy": "highAccuracy",
} as const
const isKnown = (profile: string): profile is keyof typeof profileNames => profile in profileNames

export interface RoleSettingsProps {
  role: Role
  onClose(): void
  onDone(): void
}

/** Settings of permissions: the flows of new tasks, and how often a phone sends its position. */
export function RoleSettings({ role, onClose, onDone }: RoleSettingsProps) {
  const t = useMessages(roleMessages)
  const tUser = useMessages(userMessages)
  const { data: flows = [] } = useQuery(flowsQuery)
  const [name, setName] = useState(role.name)
  const [flowIds, setFlowIds] = useState(flowsOf(role))
  const [tracking, setTracking] = useState(trackingOf(role))
  const granted = grantedOf(role)
  const save = useAction(
    () =>
      saveRole({ ...role, name: name.trim(), permissionDetails: withSettings(role, flowIds, tracking) }, [
        ...granted,
      ]),
    {
      done: () => t("saved"),
      onDone: () => {
        onDone()
        onClose()
      },
    },
  )
  const choose = (profile: string | null) => {
    if (profile !== null) setTracking({ ...tracking, profile, ...trackingProfiles[profile] })
  }
  const setNumber = (key: keyof TrackingSettings, value: string | number) =>
    setTracking({ ...tracking, [key]: value === "" ? null : Number(value) })
  return (
    <OpenModal
      onClose={onClose}
      title={t("settingsTitle", { name: roleName(role, tUser) })}
      closeButtonProps={{ "aria-label": t("cancel") }}
    >
      <WithHistory of={{ objectType: "role", objectId: role._id }}>
        <Form onSubmit={() => save.mutate()}>
          <Stack gap="sm">
            {role.isDefault ? null : (
              <TextInput label={t("name")} required maxLength={100} {...bindText(name, setName)} />
            )}
            <ManySelect
              label={t("flows")}
              description={granted.has("add/task") ? t("flowsText") : t("flowsIdle")}
              placeholder={flowIds.length === 0 ? t("allFlows") : undefined}
              clearable
              searchable
              data={flows.map((flow) => ({ value: flow._id, label: flow.name }))}
              value={flowIds}
              onChange={setFlowIds}
            />
            <Select
              label={t("profile")}
              description={granted.has("view/checkincheckout") ? t("profileText") : t("profileIdle")}
              allowDeselect={false}
              data={[...new Set([...Object.keys(trackingProfiles), tracking.profile])].map((profile) => ({
                value: profile,
                label: isKnown(profile) ? t(profileNames[profile]) : profile,
              }))}
              value={tracking.profile}
              onChange={choose}
            />
            <SimpleGrid cols={2} spacing="sm">
              {trackingNumbers.map((key) => (
                <NumberInput
                  key={key}
                  label={t(key)}
                  min={0}
                  allowNegative={false}
                  value={tracking[key] ?? ""}
                  onChange={(value) => setNumber(key, value)}
                />
              ))}
            </SimpleGrid>
            <FormFoot request={save} submit={t("saveSettings")} onCancel={onClose} />
          </Stack>
        </Form>
      </WithHistory>
    </OpenModal>
  )
}
