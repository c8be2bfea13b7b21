import "../../../ui/StatusBadge.css"
import { Group, Stack, Text, TextInput } from "@mantine/core"
import { IconMapPin } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { formatLatLng, parseLatLng } from "../../../../../packages/geodesy/lng-lat-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { PlaceInput } from "../../../map/place/PlaceInput.tsx"
import { ownUserQuery } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import type { Place } from "./HubListPage.tsx"
import { type Hub, hubsQuery, saveHub } from "./hubs.queries.ts"
import { hubMessages } from "./messages.ts"

export interface HubFormProps {
  hub: Hub | undefined
  place: Place | undefined
  onPlace(place: Place): void
  onClose(): void
}

/** Name, address and place; the place comes from a search, coordinates, a link, or a click on the map. */
export function HubForm({ hub, place, onPlace, onClose }: HubFormProps) {
  const t = useMessages(hubMessages)
  const [name, setName] = useState(hub?.name ?? "")
  const [address, setAddress] = useState(hub?.address ?? "")
  /** While something else than coordinates is typed. A click on the map replaces it. */
  const [typed, setTyped] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place ends what was being typed
  useEffect(() => setTyped(undefined), [place?.lat, place?.lng])
  const [isRefused, setRefused] = useState(false)
  const isChanged = name !== (hub?.name ?? "") || address !== (hub?.address ?? "")
  const save = useAction((at: Place) => saveHub(hub, { name: name.trim(), address: address.trim(), ...at }), {
    refreshes: [hubsQuery.queryKey, ownUserQuery.queryKey],
    done: () => t("saved", { name: name.trim() }),
    onDone: onClose,
  })
  useLeaveWarning(isChanged && !save.isAccepted)
  const submit = () => {
    // What is typed is no place: the one before it is not what the person means.
    setRefused(typed !== undefined)
    if (place && typed === undefined) save.mutate(place)
  }
  const write = (text: string) => {
    const position = parseLatLng(text)
    setTyped(position ? undefined : text)
    if (position) onPlace({ lng: position[0], lat: position[1] })
  }
  return (
    <Form
      onSubmit={submit}
      // Fields that are empty are shown by the browser; the place with them.
      onInvalidCapture={() => setRefused(typed !== undefined)}
      className="panel-form"
      aria-label={hub ? t("editTitle") : t("addTitle")}
    >
      <h2>{hub ? t("editTitle") : t("addTitle")}</h2>
      <WithHistory of={hub && { objectType: "hub", objectId: hub._id }}>
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
          <PlaceInput
            label={t("place")}
            required
            hasMap={false}
            value={typed ?? (place ? formatLatLng([place.lng, place.lat]) : "")}
            error={isRefused && typed !== undefined ? t("badPlace") : undefined}
            near={place ? [place.lng, place.lat] : undefined}
            onChange={write}
            onAddress={(found) => {
              if (address.trim() === "") setAddress(found.slice(0, 1000))
            }}
          />
          <FormFoot
            request={save}
            isDisabled={!place && typed === undefined}
            submit={t("save")}
            onCancel={onClose}
          />
        </Stack>
      </WithHistory>
    </Form>
  )
}
