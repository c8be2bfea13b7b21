import { Group, Select, TagsInput } from "@mantine/core"
import { IconPencil } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { errorMessages } from "../../../api/error-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { DeleteSelected, SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { vehicleMessages } from "./messages.ts"
import {
  changeVehicle,
  deleteVehicle,
  eachVehicle,
  type Vehicle,
  type VehicleChange,
  type VehicleResults,
} from "./vehicles.queries.ts"

export interface VehicleSelectionBarProps {
  vehicles: readonly Vehicle[]
  onClear(): void
  onRefused(refused: VehicleResults["refused"]): void
}

/** The same change for several vehicles, each with its own result. */
export function VehicleSelectionBar({ vehicles, onClear, onRefused }: VehicleSelectionBarProps) {
  const t = useMessages(vehicleMessages)
  const tError = useMessages(errorMessages)
  const { may } = useSession()
  const [dialog, setDialog] = useState<"change" | "delete">()
  const act = useAction(
    async (options: VehicleChange | "delete") => {
      const send = ({ _id }: Vehicle) =>
        options === "delete" ? deleteVehicle(_id) : changeVehicle(_id, options)
      const results = await eachVehicle(vehicles, send, tError)
      if (results.done > 0)
        notifyDone(t(options === "delete" ? "deleted" : "changedMany", { count: results.done }))
      onRefused(results.refused)
      setDialog(undefined)
      onClear()
    },
    { refreshes: [["vehicles"]] },
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
        <ChangeDialog
          count={count}
          isPending={act.isPending}
          onCancel={() => setDialog(undefined)}
          onApply={(change) => act.mutate(change)}
        />
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

const parts = ["working", "break", "tags", "hub"] as const

function ChangeDialog(props: {
  count: number
  isPending: boolean
  onCancel(): void
  onApply(change: VehicleChange): void
}) {
  const t = useMessages(vehicleMessages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [part, setPart] = useState<(typeof parts)[number]>("working")
  const [from, setFrom] = useState("08:00")
  const [to, setTo] = useState("17:00")
  const [tags, setTags] = useState<string[]>([])
  const [hubId, setHub] = useState<string | null>(null)
  const change = (): VehicleChange | undefined => {
    const times = { startTime: from, endTime: to }
    if (part === "working") return { workingTime: times }
    if (part === "break") return { breakTime: from && to ? times : { startTime: null, endTime: null } }
    if (part === "tags") return { tags }
    return hubId ? { hubId } : undefined
  }
  const apply = () => {
    const options = change()
    if (options) props.onApply(options)
  }
  return (
    <FormDialog
      title={t("changeTitle", { count: props.count })}
      request={{ error: null, isPending: props.isPending }}
      submit={t("apply")}
      onSubmit={apply}
      onClose={props.onCancel}
    >
      <Select
        label={t("what")}
        data={parts.map((value) => ({ value, label: t(value) }))}
        value={part}
        onChange={(value) => setPart(parts.find((known) => known === value) ?? "working")}
      />
      {part === "working" || part === "break" ? (
        <Group grow>
          <DateTimeInput type="time" label={t("from")} {...bindText(from, setFrom)} />
          <DateTimeInput type="time" label={t("to")} {...bindText(to, setTo)} />
        </Group>
      ) : part === "tags" ? (
        <TagsInput label={t("tags")} maxTags={10} value={tags} onChange={setTags} />
      ) : (
        <Select
          label={t("hub")}
          data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
          value={hubId}
          onChange={setHub}
        />
      )}
    </FormDialog>
  )
}
