import "../../../ui/StatusBadge.css"
import { Group, NumberInput, Stack, Text, TextInput } from "@mantine/core"
import { IconMapPin } from "@tabler/icons-react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ownUserQuery } from "../../../session/session.ts"
import { FormFoot } from "../../../ui/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
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
  const client = useQueryClient()
  const [name, setName] = useState(hub?.name ?? "")
  const [address, setAddress] = useState(hub?.address ?? "")
  const isChanged = name !== (hub?.name ?? "") || address !== (hub?.address ?? "")
  const save = useMutation({
    mutationFn: (at: Place) => saveHub(hub, { name: name.trim(), address: address.trim(), ...at }),
    onSuccess: async () => {
      notifyDone(t("saved", { name: name.trim() }))
      await Promise.all([
        client.invalidateQueries({ queryKey: hubsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ownUserQuery.queryKey }),
      ])
      onClose()
    },
  })
  useLeaveWarning(isChanged && !save.isSuccess)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (place) save.mutate(place)
  }
  const degrees = (value: string | number) => (typeof value === "number" ? value : Number.NaN)
  return (
    <form onSubmit={submit} className="panel-form" aria-label={hub ? t("editTitle") : t("addTitle")}>
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
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t("address")}
          required
          maxLength={1000}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
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
        <FormFoot request={save} isDisabled={!place} submit={t("save")} onCancel={onClose} />
      </Stack>
    </form>
  )
}
