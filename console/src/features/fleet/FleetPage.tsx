import "./fleet.css"
import { Button, Group, SegmentedControl, Switch } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconPlus, IconQrcode, IconTransfer, IconTruck } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import type { PageLoader } from "../../page-loader.ts"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/chosen-hub.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { SearchInput } from "../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { useHubNames, usePeopleNames } from "../work/tasks/people.ts"
import { DueState } from "./DueState.tsx"
import { EquipmentDialog } from "./EquipmentDialog.tsx"
import {
  type Equipment,
  equipmentListQuery,
  type FleetVehicle,
  fleetQuery,
  itemsQuery,
  pageSize,
} from "./fleet.queries.ts"
import { fleetMessages, stockMessages } from "./fleet-messages.ts"
import { MovementDialog } from "./MovementDialog.tsx"
import { PartDialog, Parts } from "./Parts.tsx"

export const loader: PageLoader = ({ client, search: { hub } }) =>
  client.prefetchQuery(fleetQuery({ q: "", hubId: hub as string | undefined, page: 1 }, false))

type Side = "vehicles" | "equipment" | "parts"

/** Vehicles by what they need, equipment at customers, and parts. */
export function FleetPage() {
  const t = useMessages(fleetMessages)
  const tStock = useMessages(stockMessages)
  const hubId = useChosenHub()
  const [side, setSide] = useState<Side>("vehicles")
  const [isDue, setDue] = useState(false)
  const [text, setText] = useState("")
  const [page, setPage] = useState(1)
  const [dialog, setDialog] = useState<"equipment" | "part" | "movement">()
  const [q] = useDebouncedValue(text.trim(), 250)
  const filter = { q, hubId, page }
  const options = (own: Side) => ({ enabled: side === own, placeholderData: keepPreviousData })
  const lists = {
    vehicles: useQuery({ ...fleetQuery(filter, isDue), ...options("vehicles") }),
    equipment: useQuery({ ...equipmentListQuery(filter), ...options("equipment") }),
    parts: useQuery({ ...itemsQuery(q, page), ...options("parts") }),
  }
  const list = lists[side]
  const total = list.data?.total ?? 0
  const isEmpty = list.isSuccess && total === 0
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setPage(1)
      set(value)
    }
  }
  const add = <Actions side={side} onOpen={setDialog} />
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={list.isPending ? "" : t("count", { count: total })}>
        {add}
      </PageHeader>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t("show")}
          value={side}
          onChange={(value) => change(setSide)(value as Side)}
          data={[
            { value: "vehicles", label: t("vehicles") },
            { value: "equipment", label: t("equipment") },
            { value: "parts", label: tStock("parts") },
          ]}
        />
        <SearchInput label={t("search")} value={text} onChange={change(setText)} w={220} />
        {side === "vehicles" ? (
          <Switch
            label={t("onlyDue")}
            checked={isDue}
            onChange={({ currentTarget: { checked } }) => change(setDue)(checked)}
          />
        ) : null}
      </div>
      <FormError error={list.error} />
      <div className="page-scroll">
        {side === "vehicles" ? (
          <Vehicles rows={lists.vehicles.data?.data ?? []} isEmpty={isEmpty} />
        ) : side === "parts" ? (
          <Parts rows={lists.parts.data?.data ?? []} isEmpty={isEmpty} add={add} />
        ) : (
          <EquipmentTable rows={lists.equipment.data?.data ?? []} isEmpty={isEmpty} add={add} />
        )}
        {total > pageSize ? (
          <Group p="md" gap="xs">
            <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t("previous")}
            </Button>
            <Button variant="default" disabled={page * pageSize >= total} onClick={() => setPage(page + 1)}>
              {t("nextPage")}
            </Button>
          </Group>
        ) : null}
      </div>
      {dialog === "equipment" ? (
        <EquipmentDialog equipment={undefined} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === "part" ? <PartDialog item={undefined} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "movement" ? (
        <MovementDialog vehicleId={undefined} onClose={() => setDialog(undefined)} />
      ) : null}
    </div>
  )
}

interface ActionsProps {
  side: Side
  onOpen(dialog: "equipment" | "part" | "movement"): void
}

function Actions({ side, onOpen }: ActionsProps) {
  const t = useMessages(fleetMessages)
  const tStock = useMessages(stockMessages)
  const { may } = useSession()
  return (
    <>
      {side === "parts" && may("edit/vehicle") ? (
        <ActionButton
          icon={IconTransfer}
          label={tStock("newMovement")}
          variant="default"
          onClick={() => onOpen("movement")}
        />
      ) : null}
      {side !== "vehicles" && may("add/vehicle") ? (
        <ActionButton
          icon={IconPlus}
          label={side === "parts" ? tStock("newPart") : t("newEquipment")}
          onClick={() => onOpen(side === "parts" ? "part" : "equipment")}
        />
      ) : null}
    </>
  )
}

function Vehicles({ rows, isEmpty }: { rows: readonly FleetVehicle[]; isEmpty: boolean }) {
  const t = useMessages(fleetMessages)
  const formats = useFormats()
  const people = usePeopleNames()
  if (isEmpty) return <EmptyState icon={IconTruck} title={t("noVehicles")} text={t("noVehiclesText")} />
  return (
    <DataTable
      rows={rows}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("name"),
          kind: "name",
          cell: ({ _id, name }) => (
            <Link to={paths.fleetVehicle} params={{ vehicleId: _id }}>
              {name}
            </Link>
          ),
        },
        {
          title: t("driver"),
          from: "md",
          kind: "quiet",
          cell: ({ driver }) => (driver ? (people.get(driver) ?? driver) : "–"),
        },
        {
          title: t("odometer"),
          kind: "number",
          from: "sm",
          cell: ({ odometerKilometers }) => formats.distance(odometerKilometers * 1000),
        },
        {
          title: t("usage"),
          from: "md",
          cell: ({ usage }) => (
            <>
              {t("usedDays", { count: usage.days })}
              <div className="quiet">{formats.distance(usage.kilometers * 1000)}</div>
            </>
          ),
        },
        {
          title: t("engineHours"),
          kind: "number",
          from: "md",
          cell: ({ engineHours }) => t("hours", { hours: formats.number(engineHours) }),
        },
        {
          title: t("next"),
          cell: ({ state, planName, openDefects }) => (
            <>
              <DueState state={state} />
              {openDefects > 0 ? (
                <div className="due-state" data-state="overdue">
                  {t("openDefects", { count: openDefects })}
                </div>
              ) : null}
              {planName ? <div className="quiet">{planName}</div> : null}
            </>
          ),
        },
      ]}
    />
  )
}

interface EquipmentTableProps {
  rows: readonly Equipment[]
  isEmpty: boolean
  add: ReactNode
}

function EquipmentTable({ rows, isEmpty, add }: EquipmentTableProps) {
  const t = useMessages(fleetMessages)
  const hubs = useHubNames()
  if (isEmpty)
    return (
      <EmptyState icon={IconQrcode} title={t("noEquipment")} text={t("noEquipmentText")}>
        {add}
      </EmptyState>
    )
  return (
    <DataTable
      rows={rows}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("name"),
          kind: "name",
          cell: ({ _id, name, kind }) => (
            <>
              <Link to={paths.fleetEquipment} params={{ equipmentId: _id }}>
                {name}
              </Link>
              {kind ? <div className="quiet">{kind}</div> : null}
            </>
          ),
        },
        { title: t("code"), cell: ({ code }) => code },
        { title: t("customer"), from: "sm", cell: ({ customer }) => customer ?? "–" },
        { title: t("address"), from: "md", kind: "quiet", cell: ({ address }) => address ?? "–" },
        { title: t("hub"), from: "md", kind: "quiet", cell: ({ hubId }) => hubs.get(hubId) ?? "" },
      ]}
    />
  )
}
