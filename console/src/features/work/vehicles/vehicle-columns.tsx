import { Badge, Group } from "@mantine/core"
import { lazy, useMemo } from "react"
import { isBreakOutside } from "#shared/break-time.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { EditableCell } from "../../../ui/tables/EditableCell.tsx"
import { tableMessages } from "../../../ui/tables/table-messages.ts"
import type { Column } from "../../../ui/tables/VirtualGrid.tsx"
import { vehicleMessages } from "./messages.ts"
import type { VehicleField } from "./VehicleFieldInput.tsx"
import type { Vehicle } from "./vehicles.queries.ts"

const VehicleCellForm = lazy(() => import("./VehicleCellForm.tsx"))

/** The columns of the list; a phone shows name and driver. */
export function useVehicleColumns(options: {
  people: ReadonlyMap<string, string>
  hasHubs: boolean
  isNarrow: boolean
}): Column<Vehicle>[] {
  const { people, hasHubs, isNarrow } = options
  const t = useMessages(vehicleMessages)
  const tTable = useMessages(tableMessages)
  const formats = useFormats()
  const { may } = useSession()
  return useMemo(() => {
    const editable = (field: VehicleField, column: Column<Vehicle>): Column<Vehicle> =>
      may("edit/vehicle")
        ? {
            ...column,
            render: (vehicle) => (
              <EditableCell
                key={vehicle._id}
                hint={tTable("changeOne", { field: column.title, name: vehicle.name })}
                form={(close) => (
                  <VehicleCellForm vehicle={vehicle} field={field} title={column.title} onClose={close} />
                )}
              >
                {column.render(vehicle)}
              </EditableCell>
            ),
          }
        : column
    const name: Column<Vehicle> = {
      id: "name",
      title: t("name"),
      width: "minmax(130px, 1.2fr)",
      sort: "name",
      render: (vehicle) => (
        <>
          <span style={{ fontWeight: 550 }}>{vehicle.name}</span>
          {isBreakOutside(vehicle.workingTime, vehicle.breakTime) ? (
            <span className="overdue"> · {t("breakOutside")}</span>
          ) : null}
        </>
      ),
    }
    const driver: Column<Vehicle> = {
      id: "assignee",
      title: t("assignee"),
      width: "minmax(120px, 1fr)",
      sort: "assignee.name",
      groupOf: ({ assignee }) => (assignee ? (people.get(assignee) ?? assignee) : ""),
      render: ({ assignee }) =>
        assignee ? (people.get(assignee) ?? assignee) : <span className="quiet">–</span>,
    }
    if (isNarrow) return [name, driver]
    const hub: Column<Vehicle> = {
      id: "hub",
      title: t("hub"),
      width: "minmax(124px, 0.8fr)",
      sort: "hub.name",
      groupOf: ({ hubs }) => hubs?.name ?? "",
      render: ({ hubs }) => <span className="quiet">{hubs?.name ?? "–"}</span>,
    }
    const works: Column<Vehicle> = {
      id: "working",
      title: t("working"),
      width: "150px",
      sort: "workingTime",
      render: ({ workingTime: { startTime, endTime, multiday } }) => (
        <span className="quiet">
          {startTime.slice(0, 5)}–{endTime.slice(0, 5)}
          {multiday > 0 ? ` +${multiday}` : ""}
        </span>
      ),
    }
    const carries: Column<Vehicle> = {
      id: "capacity",
      title: t("capacity"),
      width: "minmax(140px, 1fr)",
      sort: "capacity",
      render: ({ capacity }) => (
        <span className="quiet">
          {Object.entries(capacity)
            .map(([what, { max }]) => `${what} ${formats.number(max)}`)
            .join(", ") || "–"}
        </span>
      ),
    }
    const tags: Column<Vehicle> = {
      id: "tags",
      title: t("tags"),
      sort: "tags",
      groupOf: (vehicle) => vehicle.tags.toSorted().join(", "),
      width: "minmax(140px, 1fr)",
      render: (vehicle) => (
        <Group gap={4} wrap="nowrap">
          {vehicle.tags.map((tag) => (
            <Badge key={tag} color="gray">
              {tag}
            </Badge>
          ))}
        </Group>
      ),
    }
    const speed: Column<Vehicle> = {
      id: "speed",
      title: t("speed"),
      width: "100px",
      sort: "speed",
      render: (vehicle) => <span className="quiet">{formats.speed(vehicle.speed)}</span>,
    }
    return [
      editable("name", name),
      editable("assignee", driver),
      ...(hasHubs ? [editable("hub", hub)] : []),
      editable("working", works),
      carries,
      editable("tags", tags),
      editable("speed", speed),
    ]
  }, [people, hasHubs, isNarrow, t, tTable, formats, may])
}
