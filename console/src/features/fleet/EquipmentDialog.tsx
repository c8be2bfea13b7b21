import { Group, NumberInput, Select, Textarea, TextInput } from "@mantine/core"
import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useChosenHub } from "../../shell/chosen-hub.ts"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { useHubNames } from "../work/tasks/people.ts"
import { type Equipment, type EquipmentInput, saveEquipment } from "./fleet.queries.ts"
import { fleetMessages } from "./fleet-messages.ts"
import { RequiredText } from "./RequiredText.tsx"

const texts = ["kind", "customer", "address", "note"] as const

/** What equipment is, where it is, and the code on its label. */
export function EquipmentDialog({
  equipment,
  onClose,
}: {
  equipment: Equipment | undefined
  onClose(): void
}) {
  const t = useMessages(fleetMessages)
  const hubs = useHubNames()
  const chosenHub = useChosenHub()
  const [name, setName] = useState(equipment?.name ?? "")
  const [code, setCode] = useState(equipment?.code ?? "")
  const [hubId, setHub] = useState<string | undefined>(equipment?.hubId ?? chosenHub)
  const [lat, setLat] = useState<string | number>(equipment?.lat ?? "")
  const [lon, setLon] = useState<string | number>(equipment?.lon ?? "")
  const [rest, setRest] = useState(
    () =>
      Object.fromEntries(texts.map((key) => [key, equipment?.[key] ?? ""])) as Record<
        (typeof texts)[number],
        string
      >,
  )
  const hub = hubId ?? [...hubs.keys()][0] ?? ""
  const save = useAction(
    () =>
      saveEquipment(equipment?._id, {
        ...{ name, code, hubId: hub as EquipmentInput["hubId"], ...rest },
        lat: lat === "" ? null : Number(lat),
        lon: lon === "" ? null : Number(lon),
      }),
    { refreshes: [["vehicles"]], done: () => t("saved", { name }), onDone: onClose },
  )
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const text = (key: "kind" | "customer" | "address", maxLength: number) => (
    <TextInput
      label={t(key)}
      maxLength={maxLength}
      {...bindText(rest[key], (value) => setRest((current) => ({ ...current, [key]: value })))}
    />
  )
  return (
    <FormDialog
      title={equipment?.name ?? t("newEquipment")}
      history={equipment && { objectType: "equipment", objectId: equipment._id }}
      size="lg"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RequiredText label={t("name")} data-autofocus errors={fields.name} value={name} onChange={setName} />
      <Group grow align="start">
        <RequiredText
          label={t("code")}
          description={t("codeHint")}
          errors={fields.code}
          value={code}
          onChange={setCode}
        />
        {text("kind", 100)}
      </Group>
      <Select
        label={t("hub")}
        allowDeselect={false}
        data={[...hubs].map(([value, label]) => ({ value, label }))}
        value={hub}
        onChange={(value) => setHub(value ?? undefined)}
      />
      {text("customer", 200)}
      {text("address", 500)}
      <Group grow align="start">
        <NumberInput label={t("latitude")} min={-90} max={90} hideControls value={lat} onChange={setLat} />
        <NumberInput label={t("longitude")} min={-180} max={180} hideControls value={lon} onChange={setLon} />
      </Group>
      <Textarea
        label={t("note")}
        autosize
        maxLength={2_000}
        {...bindText(rest.note, (value) => setRest((current) => ({ ...current, note: value })))}
      />
    </FormDialog>
  )
}
