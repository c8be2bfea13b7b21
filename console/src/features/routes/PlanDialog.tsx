import { Alert, Button, Checkbox, Group, Loader, Modal, Select, Stack, Text, TextInput } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { FormError } from "../../ui/FormError.tsx"
import { useHubNames } from "../tasks/people.ts"
import { type Vehicle, vehiclePageQuery } from "../vehicles/vehicles.queries.ts"
import { routeMessages } from "./messages.ts"
import { startPlan, type TaskVisit, visitsOfTasks } from "./routes.queries.ts"

export interface PlanDialogProps {
  taskIds: readonly string[]
  onClose(): void
}

/** Vehicles and wishes for the chosen tasks; the plan then opens and shows its progress. */
export default function PlanDialog({ taskIds, onClose }: PlanDialogProps) {
  const t = useMessages(routeMessages)
  const hubs = useHubNames()
  const visits = useQuery({
    queryKey: ["task-visits", taskIds],
    queryFn: () => visitsOfTasks(taskIds),
    staleTime: 0,
  })
  const byHub = Map.groupBy(visits.data ?? [], ({ hubId }) => hubId)
  const largest = [...byHub].toSorted((one, other) => other[1].length - one[1].length)[0]?.[0]
  const [chosenHub, setChosenHub] = useState<string | null>(null)
  const hubId = chosenHub ?? largest
  const own = byHub.get(hubId ?? "") ?? []
  return (
    <Modal opened onClose={onClose} title={t("planTitle", { count: own.length || taskIds.length })} size="lg">
      <Stack gap="sm">
        {visits.isPending ? <Loader size="sm" aria-label={t("planButton")} /> : null}
        <FormError error={visits.error} />
        {byHub.size > 1 ? (
          <Select
            label={t("hub")}
            data={[...byHub].map(([value, group]) => ({
              value,
              label: `${hubs.get(value) ?? value} (${group.length})`,
            }))}
            value={hubId ?? null}
            onChange={setChosenHub}
            allowDeselect={false}
          />
        ) : null}
        {hubId ? <PlanForm key={hubId} hubId={hubId} visits={own} onClose={onClose} /> : null}
      </Stack>
    </Modal>
  )
}

const wishes = ["returnToHub", "multitrip", "useAll", "balanced"] as const

function PlanForm({
  hubId,
  visits,
  onClose,
}: {
  hubId: string
  visits: readonly TaskVisit[]
  onClose(): void
}) {
  const t = useMessages(routeMessages)
  const navigate = useNavigate()
  const vehicles = useQuery(vehiclePageQuery({ hubId, sortBy: "name", sortOrder: "asc" }, 1))
  const rows = vehicles.data?.rows ?? []
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(["returnToHub"]))
  const taken = rows.filter(({ _id }) => !left.has(_id))
  const placeless = visits.filter(({ coordinate }) => coordinate === "").length
  const start = useMutation({
    mutationFn: () =>
      startPlan({
        hubId,
        ...(name.trim() ? { name: name.trim() } : {}),
        visits: visits.map(visitBody),
        vehicles: taken.map(vehicleBody),
        configuration: {
          returnToHub: chosen.has("returnToHub"),
          multitrip: chosen.has("multitrip"),
          useAllVehicle: chosen.has("useAll"),
          ...(chosen.has("balanced") ? { clustering: "balanced" as const } : {}),
        },
      }),
    onSuccess: ({ _id }) => void navigate({ to: paths.route, params: { resultId: _id } }),
  })
  const toggle = (set: ReadonlySet<string>, key: string, isOn: boolean) => {
    const next = new Set(set)
    if (isOn) next.add(key)
    else next.delete(key)
    return next
  }
  return (
    <>
      <TextInput
        label={t("name")}
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {placeless > 0 ? <Alert color="yellow">{t("noPlace", { count: placeless })}</Alert> : null}
      <fieldset className="bare-fieldset">
        <legend className="panel-heading">
          {t("chooseVehicles")} ({taken.length}/{rows.length})
        </legend>
        {!vehicles.isPending && rows.length === 0 ? (
          <Text size="sm">
            {t("noVehicles")} <Link to={paths.vehicles}>{t("toVehicles")}</Link>
          </Text>
        ) : (
          <Stack gap={6} style={{ maxHeight: 220, overflowY: "auto" }}>
            <Checkbox
              label={t("allVehicles")}
              checked={left.size === 0}
              indeterminate={left.size > 0 && taken.length > 0}
              onChange={(event) =>
                setLeft(event.currentTarget.checked ? new Set() : new Set(rows.map(({ _id }) => _id)))
              }
            />
            {rows.map((vehicle) => (
              <Checkbox
                key={vehicle._id}
                label={`${vehicle.name} · ${vehicle.workingTime.startTime}–${vehicle.workingTime.endTime}`}
                checked={!left.has(vehicle._id)}
                onChange={(event) => setLeft(toggle(left, vehicle._id, !event.currentTarget.checked))}
              />
            ))}
          </Stack>
        )}
      </fieldset>
      <Stack gap={6}>
        {wishes.map((wish) => (
          <Checkbox
            key={wish}
            label={t(wish)}
            checked={chosen.has(wish)}
            onChange={(event) => setChosen(toggle(chosen, wish, event.currentTarget.checked))}
          />
        ))}
      </Stack>
      <FormError error={start.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button loading={start.isPending} disabled={taken.length === 0} onClick={() => start.mutate()}>
          {t("start")}
        </Button>
      </Group>
    </>
  )
}

/** What is not known is left out: the description of the call knows no null in these places. */
function visitBody({ hubId: _hub, timeWindow, visitTime, ...visit }: TaskVisit) {
  const { startTime, endTime } = timeWindow
  return {
    ...visit,
    timeWindow: { ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) },
    ...(visitTime === null ? {} : { visitTime }),
  }
}

function vehicleBody(vehicle: Vehicle) {
  const { startTime, endTime } = vehicle.breakTime
  return {
    id: vehicle._id,
    name: vehicle.name,
    speed: vehicle.speed,
    fixedCost: vehicle.fixedCost,
    tags: vehicle.tags,
    capacity: vehicle.capacity,
    workingTime: vehicle.workingTime,
    ...(vehicle.assignee ? { assignee: vehicle.assignee } : {}),
    ...(vehicle.oddEven ? { oddEven: vehicle.oddEven } : {}),
    ...(startTime && endTime ? { breakTime: { startTime, endTime } } : {}),
  }
}
