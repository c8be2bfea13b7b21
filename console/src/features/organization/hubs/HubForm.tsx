import "../../../ui/StatusBadge.css"
import { Group, NumberInput, Stack, Text, TextInput } from "@mantine/core"
import { IconMapPin } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ownUserQuery } from "../../../session/session.ts"
import { bindText } from "../../../ui/bind.ts"
import { Form } from "../../../ui/Form.tsx"
import { FormFoot } from "../../../ui/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { useAction } from "../../../ui/use-action.ts"
import type { Place } from "./HubListPage.tsx"
import { type Hub, hubsQuery, saveHub } from "./hubs.queries.ts"
import { hubMessages } from "./messages.ts"

export interface HubFormProps {
  hub: Hub | undefined
  place: Place | undefined
  onPlace(place: Place): void
  onClose(): void
}

/** Name, address and place; the place comes from a click on the map or from typed degrees. */
export function HubForm({ hub, place, onPlace, onClose }: HubFormProps) {
  const t = useMessages(hubMessages)
  const [name, setName] = useState(hub?.name ?? "")
  const [address, setAddress] = useState(hub?.address ?? "")
  const isChanged = name !== (hub?.name ?? "") || address !== (hub?.address ?? "")
  const save = useAction((at: Place) => saveHub(hub, { name: name.trim(), address: address.trim(), ...at }), {
    refreshes: [hubsQuery.queryKey, ownUserQuery.queryKey],
    done: () => t("saved", { name: name.trim() }),
    onDone: onClose,
  })
  useLeaveWarning(isChanged && !save.isSuccess)
  const submit = () => {
    if (place) save.mutate(place)
  }
  const degrees = (value: string | number) => (typeof value === "number" ? value : Number.NaN)
  return (
    <Form onSubmit={submit} className="panel-form" aria-label={hub ? t("editTitle") : t("addTitle")}>
      <h2>{hub ? t("editTitle") : t("addTitle")}</h2>
      <Stack gap="sm">
        <Group gap={8} wrap="nowrap" className="hint" role="status">
          <IconMapPin size={18} aria-hidden />
          <Text size="sm">{place ? t("picked") : t("pick")}</Text>
        </Group>
        <TextInput
          label={t("name")}
          placeholder={t("namePlaceholder")}
          required
          maxLength={200}
          data-autofocus
          {...bindText(name, setName)}
        />
        <TextInput label={t("address")} required maxLength={1000} {...bindText(address, setAddress)} />
        <Group grow>
          <NumberInput
            label={t("latitude")}
            required
            hideControls
            min={-90}
            max={90}
            decimalScale={6}
            value={place?.lat ?? ""}
            onChange={(value) => {
              if (Number.isFinite(degrees(value))) onPlace({ lat: degrees(value), lng: place?.lng ?? 0 })
            }}
          />
          <NumberInput
            label={t("longitude")}
            required
            hideControls
            min={-180}
            max={180}
            decimalScale={6}
            value={place?.lng ?? ""}
            onChange={(value) => {
              if (Number.isFinite(degrees(value))) onPlace({ lat: place?.lat ?? 0, lng: degrees(value) })
            }}
          />
        </Group>
        <FormFoot submit={t("save")} request={save} isDisabled={!place} onCancel={onClose} />
      </Stack>
    </Form>
  )
}
