import { Textarea, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormPanel } from "../../../ui/forms/FormPanel.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { vehicleMessages } from "./messages.ts"
import { VehicleFields } from "./VehicleFields.tsx"
import { bodyOf, draftOf, type VehicleDraft } from "./vehicle-draft.ts"
import {
  changeVehicle,
  createVehicle,
  createVehicles,
  type Vehicle,
  type VehicleResults,
} from "./vehicles.queries.ts"

export interface VehicleFormProps {
  vehicle: Vehicle | undefined
  /** Several vehicles at once, one name a line. */
  isMany?: boolean
  isLocked?: boolean
  onClose(): void
  onRefused(refused: VehicleResults["refused"]): void
}

export function VehicleForm({
  vehicle,
  isMany = false,
  isLocked = false,
  onClose,
  onRefused,
}: VehicleFormProps) {
  const t = useMessages(vehicleMessages)
  const chosenHub = useChosenHub()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [changed, setChanged] = useState<VehicleDraft>()
  const draft = changed ?? draftOf(vehicle, chosenHub ?? hubs[0]?._id ?? null)
  const change = (part: Partial<VehicleDraft>) => setChanged({ ...draft, ...part })
  const save = useAction(
    async () => {
      const body = bodyOf(draft)
      if (vehicle) await changeVehicle(vehicle._id, body)
      else if (!isMany) await createVehicle(body)
      else {
        const names = draft.name.split("\n").flatMap((line) => line.trim() || [])
        const answer = await createVehicles(names.map((name) => ({ ...body, name })))
        onRefused(
          answer.data.flatMap((entry, index) =>
            entry._id === null ? [{ name: names[index] ?? "", reason: entry.message }] : [],
          ),
        )
        return t("made", { count: answer.success })
      }
      return t("saved", { name: draft.name.trim() })
    },
    { refreshes: [["vehicles"]], done: (message) => message, onDone: onClose },
  )
  const refusals = save.error instanceof ApiError ? save.error.fields : {}
  const close = useLeaveWarning(changed !== undefined && !save.isAccepted, onClose)
  return (
    <FormPanel
      onClose={close}
      size={500}
      title={vehicle ? vehicle.name : isMany ? t("manyTitle") : t("newTitle")}
      request={save}
      isLocked={isLocked}
      isDisabled={!draft.hubId}
      history={vehicle ? { objectType: "vehicle", objectId: vehicle._id } : undefined}
      onSubmit={() => save.mutate()}
    >
      {isMany ? (
        <Textarea
          label={t("names")}
          description={t("namesHint")}
          autosize
          minRows={4}
          required
          withAsterisk={false}
          data-autofocus
          {...bindText(draft.name, (name) => change({ name }))}
        />
      ) : (
        <TextInput
          label={t("name")}
          required
          withAsterisk={false}
          maxLength={255}
          data-autofocus
          error={refusals.name?.[0]}
          {...bindText(draft.name, (name) => change({ name }))}
        />
      )}
      <VehicleFields draft={draft} refusals={refusals} onChange={change} />
    </FormPanel>
  )
}
