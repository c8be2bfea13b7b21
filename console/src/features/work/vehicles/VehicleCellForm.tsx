import { useState } from "react"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CellPopover } from "../../../ui/tables/CellPopover.tsx"
import { type VehicleField, VehicleFieldInput } from "./VehicleFieldInput.tsx"
import { changeVehicle, type Vehicle, type VehicleChange } from "./vehicles.queries.ts"

interface VehicleCellFormProps {
  vehicle: Vehicle
  field: VehicleField
  title: string
  onClose(): void
}

/** Changes one field of one vehicle beside its cell. */
export default function VehicleCellForm({ vehicle, field, title, onClose }: VehicleCellFormProps) {
  const [before] = useState(() => fieldOf(vehicle, field))
  const [change, setChange] = useState(before)
  const save = useAction(() => changeVehicle(vehicle._id, change), {
    refreshes: [["vehicles"]],
    onDone: onClose,
  })
  return (
    <CellPopover
      title={title}
      save={save}
      isChanged={JSON.stringify(change) !== JSON.stringify(before)}
      onClose={onClose}
    >
      <VehicleFieldInput field={field} change={change} onChange={setChange} />
    </CellPopover>
  )
}

function fieldOf(vehicle: Vehicle, field: VehicleField): VehicleChange {
  const { name, assignee, hubId, workingTime, breakTime, tags, speed, fixedCost, oddEven } = vehicle
  const values: Record<VehicleField, VehicleChange> = {
    name: { name },
    assignee: { assignee },
    hub: { hubId },
    working: { workingTime },
    break: { breakTime },
    tags: { tags },
    speed: { speed },
    fixedCost: { fixedCost },
    oddEven: { oddEven },
  }
  return values[field]
}
