import {
  Alert,
  Button,
  Checkbox,
  Group,
  Loader,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import { VehicleFileDialog } from "../../work/vehicles/VehicleFileDialog.tsx"
import type { Vehicle } from "../../work/vehicles/vehicles.queries.ts"
import { clockText } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import { ProfileSummary } from "./profiles/ProfilesPage.tsx"
import { type Profile, profilesQuery } from "./profiles/profiles.queries.ts"
import {
  maxVehicles,
  startPlan,
  type TaskVisit,
  vehiclesOfHubsQuery,
  visitsOfTasks,
} from "./routes.queries.ts"

export interface PlanDialogProps {
  taskIds: readonly string[]
  onClose(): void
}

/** Vehicles and requests for the chosen tasks; the plan then opens and shows its progress. */
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
    <OpenModal onClose={onClose} title={t("planTitle", { count: own.length || taskIds.length })} size="lg">
      <Stack gap="sm">
        {visits.isPending ? <Loader size="sm" role="status" aria-label={t("planButton")} /> : null}
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
        {visits.data && visits.data.length === 0 ? <Alert color="yellow">{t("nothingOpen")}</Alert> : null}
        {hubId ? <PlanForm key={hubId} hubId={hubId} visits={own} onClose={onClose} /> : null}
      </Stack>
    </OpenModal>
  )
}

const requests = ["returnToHub", "multitrip", "useAll", "balanced"] as const
type Options = (typeof requests)[number]

/** The value of each option in a profile; without one, the server's default. */
function optionsOf(profile: Profile | undefined): Record<Options, boolean> {
  return {
    returnToHub: profile ? profile.returnToHub || profile.multitrip : true,
    multitrip: profile?.multitrip ?? false,
    useAll: profile?.useAllVehicle ?? false,
    balanced: profile?.clustering === "balanced",
  }
}

/** Only what is requested otherwise than the profile has it is sent with a run. */
function settingsOf(given: Record<Options, boolean>, requested: Record<Options, boolean>) {
  return {
    ...(requested.returnToHub === given.returnToHub ? {} : { returnToHub: requested.returnToHub }),
    ...(requested.multitrip === given.multitrip ? {} : { multitrip: requested.multitrip }),
    ...(requested.useAll === given.useAll ? {} : { useAllVehicle: requested.useAll }),
    ...(requested.balanced === given.balanced
      ? {}
      : { clustering: requested.balanced ? ("balanced" as const) : ("none" as const) }),
  }
}

interface PlanFormProps {
  hubId: string
  visits: readonly TaskVisit[]
  onClose(): void
}

function PlanForm({ hubId, visits, onClose }: PlanFormProps) {
  const t = useMessages(routeMessages)
  const { may } = useSession()
  const navigate = useNavigate()
  const mayProfiles = may("view/configuration")
  const { data: profiles = [] } = useQuery({ ...profilesQuery(hubId), enabled: mayProfiles })
  const [profileId, setProfileId] = useState<string | null>(null)
  const profile = profiles.find(({ _id }) => _id === profileId) ?? profiles[0]
  const subHubIds = profile && profile.crossDockingType !== "none" ? profile.subHubs : []
  const vehicles = useQuery(vehiclesOfHubsQuery([hubId, ...subHubIds]))
  const hubs = useHubNames()
  const rows = vehicles.data ?? []
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [name, setName] = useState("")
  const [day, setDay] = useState("")
  const [days, setDays] = useState<number | string>(1)
  const [changed, setChanged] = useState<Partial<Record<Options, boolean>>>({})
  const [hasFile, setHasFile] = useState(false)
  const given = optionsOf(mayProfiles ? profile : undefined)
  const requested = { ...given, ...changed }
  const taken = rows.filter(({ _id }) => !left.has(_id)).slice(0, maxVehicles)
  const placeless = visits.filter(({ coordinate }) => coordinate === "").length
  const start = useAction(
    () => {
      // Without permission to read the profile, all options are sent.
      const settings = mayProfiles ? settingsOf(given, requested) : settingsOf(opposite(requested), requested)
      return startPlan({
        hubId,
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(day ? { routingDate: day } : {}),
        ...(profile ? { configurationId: profile._id } : {}),
        ...(Object.keys(settings).length > 0 ? { configuration: settings } : {}),
        visits: visits.map(visitBody),
        vehicles: taken.map((vehicle) => ({
          ...vehicleBody(vehicle, Number(days) || 1),
          hubId: vehicle.hubId,
          ...(subHubIds.length > 0 && vehicle.hubId === hubId ? { allowSubHub: true } : {}),
        })),
      })
    },
    { onDone: ({ _id }) => void navigate({ to: paths.route, params: { resultId: _id } }) },
  )
  const toggle = (set: ReadonlySet<string>, key: string, isOn: boolean) => {
    const next = new Set(set)
    if (isOn) next.add(key)
    else next.delete(key)
    return next
  }
  return (
    <>
      <Group grow align="start">
        <TextInput label={t("name")} maxLength={255} {...bindText(name, setName)} />
        <DateTimeInput
          type="date"
          label={t("planDay")}
          description={day ? undefined : t("planToday")}
          inputWrapperOrder={["label", "input", "description"]}
          {...bindText(day, setDay)}
        />
        <NumberInput
          label={t("planDays")}
          description={Number(days) > 1 ? t("planDaysText") : undefined}
          inputWrapperOrder={["label", "input", "description"]}
          min={1}
          max={14}
          clampBehavior="strict"
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
      </Group>
      {placeless > 0 ? <Alert color="yellow">{t("noPlace", { count: placeless })}</Alert> : null}
      <fieldset className="bare-fieldset">
        <legend className="panel-heading">
          {t("chooseVehicles")} ({taken.length}/{rows.length})
        </legend>
        {vehicles.isPending ? (
          <Loader size="sm" role="status" aria-label={t("chooseVehicles")} />
        ) : rows.length === 0 ? (
          <Text size="sm">
            {t("noVehicles")} <Link to={paths.vehicles}>{t("toVehicles")}</Link>
          </Text>
        ) : (
          <Stack gap={6} style={{ maxHeight: 200, overflowY: "auto" }}>
            <Checkbox
              label={t("allVehicles")}
              indeterminate={left.size > 0 && taken.length > 0}
              {...bindChecked(left.size === 0, (checked) =>
                setLeft(checked ? new Set() : new Set(rows.map(({ _id }) => _id))),
              )}
            />
            {rows.map((vehicle) => (
              <Checkbox
                key={vehicle._id}
                label={[
                  vehicle.name,
                  `${clockText(vehicle.workingTime.startTime)}–${clockText(vehicle.workingTime.endTime)}`,
                  ...(vehicle.hubId === hubId ? [] : [hubs.get(vehicle.hubId) ?? ""]),
                  ...vehicle.tags,
                ].join(" · ")}
                {...bindChecked(!left.has(vehicle._id), (checked) =>
                  setLeft(toggle(left, vehicle._id, !checked)),
                )}
              />
            ))}
          </Stack>
        )}
        {may("add/vehicle") ? (
          <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setHasFile(true)}>
            {t("vehiclesFromFile")}
          </Button>
        ) : null}
      </fieldset>
      {hasFile ? <VehicleFileDialog hubId={hubId} onClose={() => setHasFile(false)} /> : null}
      {profile ? (
        <Select
          label={t("profile")}
          data={profiles.map(({ _id, name: label }) => ({ value: _id, label }))}
          value={profile._id}
          allowDeselect={false}
          description={<ProfileSummary profile={profile} />}
          inputWrapperOrder={["label", "input", "description"]}
          onChange={(value) => {
            setProfileId(value)
            setChanged({})
          }}
        />
      ) : null}
      <Stack gap={6}>
        {requests.map((options) => (
          <Checkbox
            key={options}
            label={t(options)}
            disabled={options === "returnToHub" && requested.multitrip}
            {...bindChecked(
              requested[options] || (options === "returnToHub" && requested.multitrip),
              (checked) => setChanged({ ...changed, [options]: checked }),
            )}
          />
        ))}
      </Stack>
      <FormError error={start.error ?? vehicles.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button
          loading={start.isPending}
          disabled={taken.length === 0 || visits.length === 0}
          onClick={() => start.mutate()}
        >
          {t("start")}
        </Button>
      </Group>
    </>
  )
}

function opposite(requested: Record<Options, boolean>): Record<Options, boolean> {
  const { returnToHub, multitrip, useAll, balanced } = requested
  return { returnToHub: !returnToHub, multitrip: !multitrip, useAll: !useAll, balanced: !balanced }
}

/** Unknown values are omitted: the API does not accept null here. */
function visitBody({ hubId: _hub, timeWindow, visitTime, ...visit }: TaskVisit) {
  const { startTime, endTime } = timeWindow
  return {
    ...visit,
    timeWindow: { ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) },
    ...(visitTime === null ? {} : { visitTime }),
  }
}

const termNames = [
  "startCoordinate",
  "endCoordinate",
  "maxDuration",
  "maxDistance",
  "maxOvertime",
  "breakMinutes",
  "workDays",
  "daysOff",
  "costs",
  "co2PerKilometer",
  "skills",
] as const

function vehicleBody(vehicle: Vehicle, days: number) {
  const { startTime, endTime } = vehicle.breakTime
  return {
    ...Object.fromEntries(
      termNames.flatMap((name) => (vehicle[name] === null ? [] : [[name, vehicle[name]] as const])),
    ),
    id: vehicle._id,
    name: vehicle.name,
    speed: vehicle.speed,
    fixedCost: vehicle.fixedCost,
    tags: vehicle.tags,
    capacity: vehicle.capacity,
    workingTime: { ...vehicle.workingTime, multiday: vehicle.workingTime.multiday + days - 1 },
    ...(vehicle.assignee ? { assignee: vehicle.assignee } : {}),
    ...(vehicle.oddEven ? { oddEven: vehicle.oddEven } : {}),
    ...(startTime && endTime ? { breakTime: { startTime, endTime } } : {}),
  }
}
