import { IconPencil } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { notifyDone } from "../../../ui/notify.ts"
import { DeleteSelected, SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { vehicleMessages } from "./messages.ts"
import {
  changeVehicles,
  deleteVehicles,
  type Vehicle,
  type VehicleChange,
  type VehicleResults,
} from "./vehicles.queries.ts"

const VehicleBulkDialog = lazy(() => import("./VehicleBulkDialog.tsx"))

export interface VehicleSelectionBarProps {
  vehicles: readonly Vehicle[]
  onClear(): void
  onRefused(refused: VehicleResults["refused"]): void
}

/** The same change for several vehicles, each with its own result. */
export function VehicleSelectionBar({ vehicles, onClear, onRefused }: VehicleSelectionBarProps) {
  const t = useMessages(vehicleMessages)
  const { may } = useSession()
  const [dialog, setDialog] = useState<"change" | "delete">()
  const act = useAction(
    (options: VehicleChange | "delete") =>
      options === "delete" ? deleteVehicles(vehicles) : changeVehicles(vehicles, options),
    {
      refreshes: [["vehicles"]],
      onDone: ({ done, refused }, options) => {
        if (done > 0) notifyDone(t(options === "delete" ? "deleted" : "changedMany", { count: done }))
        onRefused(refused)
        setDialog(undefined)
        onClear()
      },
    },
  )
  const count = vehicles.length
  if (count === 0) return null
  return (
    <SelectionBar count={count} onClear={onClear}>
      {may("edit/vehicle") ? (
        <ActionButton icon={IconPencil} label={t("change")} size="xs" onClick={() => setDialog("change")} />
      ) : null}
      {may("delete/vehicle") ? (
        <DeleteSelected label={t("delete")} isPending={act.isPending} onClick={() => setDialog("delete")} />
      ) : null}
      {dialog === "change" ? (
        <Suspense fallback={null}>
          <VehicleBulkDialog
            count={count}
            request={act}
            onCancel={() => setDialog(undefined)}
            onApply={(change) => act.mutate(change)}
          />
        </Suspense>
      ) : null}
      <ConfirmDialog
        isOpen={dialog === "delete"}
        title={t("deleteTitle", { count })}
        text={t("deleteText")}
        confirm={t("delete")}
        isDangerous
        count={count}
        onClose={() => setDialog(undefined)}
        onConfirm={() => act.mutate("delete")}
      />
    </SelectionBar>
  )
}
