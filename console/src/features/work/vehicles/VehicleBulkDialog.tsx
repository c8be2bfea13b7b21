import { Select, Text } from "@mantine/core"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { tableMessages } from "../../../ui/tables/table-messages.ts"
import { useHubNames, usePeopleNames } from "../tasks/people.ts"
import { vehicleMessages } from "./messages.ts"
import { type VehicleField, VehicleFieldInput, vehicleFields } from "./VehicleFieldInput.tsx"
import type { VehicleChange } from "./vehicles.queries.ts"

interface VehicleBulkDialogProps {
  count: number
  request: { error: Error | null; isPending: boolean }
  onCancel(): void
  onApply(change: VehicleChange): void
}

/** Changes one field of many vehicles, after a sentence that says what will be changed. */
export default function VehicleBulkDialog({ count, request, onCancel, onApply }: VehicleBulkDialogProps) {
  const t = useMessages(vehicleMessages)
  const tTable = useMessages(tableMessages)
  const [people, hubs, formats] = [usePeopleNames(), useHubNames(), useFormats()]
  const [field, setField] = useState<VehicleField>("working")
  const [change, setChange] = useState<VehicleChange>({})
  const titleOf = (one: VehicleField) => (one === "speed" ? t("speedUnit") : t(one))
  const value = shownChange(change, {
    people,
    hubs,
    number: formats.number,
    list: formats.list,
    plate: (plate) => t(plate),
  })
  const isClearable = field === "assignee" || field === "break" || field === "tags"
  const options = { field: titleOf(field), count }
  return (
    <FormDialog
      title={t("changeTitle", { count })}
      request={request}
      submit={t("apply")}
      isDisabled={value === "" && !isClearable}
      onSubmit={() => onApply(value === "" ? cleared(field) : change)}
      onClose={onCancel}
    >
      <Select
        label={t("what")}
        allowDeselect={false}
        data={vehicleFields
          .filter((one) => one !== "name")
          .map((one) => ({ value: one, label: titleOf(one) }))}
        value={field}
        onChange={(next) => {
          setField(vehicleFields.find((one) => one === next) ?? field)
          setChange(next === "oddEven" ? { oddEven: null } : {})
        }}
      />
      <VehicleFieldInput key={field} field={field} change={change} onChange={setChange} />
      <Text size="sm" role="status">
        {value !== ""
          ? tTable("preview", { ...options, value })
          : isClearable
            ? tTable("previewClear", options)
            : null}
      </Text>
    </FormDialog>
  )
}

function cleared(field: VehicleField): VehicleChange {
  if (field === "assignee") return { assignee: null }
  return field === "tags" ? { tags: [] } : { breakTime: { startTime: null, endTime: null } }
}

interface Shown {
  people: ReadonlyMap<string, string>
  hubs: ReadonlyMap<string, string>
  number(value: number): string
  list(values: readonly string[]): string
  plate(plate: "any" | "odd" | "even"): string
}

/** The value as people read it; empty when it is missing or half written. */
function shownChange(change: VehicleChange, { people, hubs, number, list, plate }: Shown): string {
  const { assignee, hubId, tags, speed, fixedCost, oddEven } = change
  const times = change.workingTime ?? change.breakTime
  if (times) return times.startTime && times.endTime ? `${times.startTime}–${times.endTime}` : ""
  if (oddEven !== undefined) return plate(oddEven === "odd" || oddEven === "even" ? oddEven : "any")
  if (assignee) return people.get(assignee) ?? assignee
  if (hubId) return hubs.get(hubId) ?? hubId
  const amount = speed ?? fixedCost
  return amount === undefined ? list(tags ?? []) : number(amount)
}
