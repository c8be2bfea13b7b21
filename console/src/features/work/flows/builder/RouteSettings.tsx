import { Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../../i18n/language.tsx"
import { capacitiesQuery } from "../../vehicles/vehicles.queries.ts"
import { componentKindOf } from "../fields/component-kind.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { loadPrefix, type RouteUse, routeSettingMessages, routeUseName } from "./route-setting-messages.ts"

const usesByType: Readonly<Record<string, readonly RouteUse[]>> = {
  string: ["VisitName", "Tag", "Pickup", "After", "Days", "PreferredDays", "PreferredVehicle"],
  address: ["Address"],
  time: ["OpenTime", "CloseTime"],
  numeric: ["VisitDuration", "Workers"],
  geolocation: ["Coordinate"],
}

/** What route planning takes from a field, and the address by which imports find a place. */
export function RouteSettings({
  component,
  others,
  onChange,
}: {
  component: FlowComponent
  /** The flow's other components. */
  others: readonly FlowComponent[]
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(routeSettingMessages)
  const kind = componentKindOf(component)
  const type = typeOf(component)
  const hasLoad = kind === "input" && (type === "numeric" || type === "currency")
  const { data: capacities } = useQuery({ ...capacitiesQuery, enabled: hasLoad })
  const loads = hasLoad
    ? (capacities?.capacityConstraint ?? []).map(({ name }) => `${loadPrefix}${name}`)
    : []
  const uses = kind === "select" ? (["Tag"] as const) : kind === "input" ? (usesByType[type] ?? []) : []
  const current = component.routeAs ?? null
  const offered = [...new Set([...uses, ...loads, ...(current ? [current] : [])])]
  if (offered.length === 0) return null
  const data = offered.map((value) => {
    const use = routeUseName(value, t)
    const owner = others.find(({ routeAs }) => routeAs === value)
    return owner
      ? { value, label: t("taken", { use, title: owner.title || owner.id }), disabled: true }
      : { value, label: use }
  })
  return (
    <>
      <Select
        label={t("routeAs")}
        placeholder={t("routeNothing")}
        clearable
        data={data}
        value={current}
        onChange={(routeAs) => onChange({ routeAs })}
      />
      {kind === "input" && type === "geolocation" ? (
        <AddressChoice component={component} others={others} onChange={onChange} />
      ) : null}
    </>
  )
}

function AddressChoice({
  component,
  others,
  onChange,
}: {
  component: FlowComponent
  others: readonly FlowComponent[]
  onChange(part: Partial<FlowComponent>): void
}) {
  const t = useMessages(routeSettingMessages)
  const addresses = others.filter((other) => other.component === "input" && typeOf(other) === "address")
  if (addresses.length === 0) return null
  const isOnlyPlace = !others.some((other) => typeOf(other) === "geolocation")
  const byDefault = component.useGeocode === undefined && isOnlyPlace ? addresses[0]?.id : undefined
  const named = component.useGeocode === true ? component.geocodeAs : byDefault
  return (
    <Select
      label={t("findBy")}
      description={t("findByHint")}
      placeholder={t("findNever")}
      clearable
      data={addresses.map(({ id, title }) => ({ value: id, label: title || id }))}
      value={typeof named === "string" ? named : null}
      onChange={(id) => onChange({ useGeocode: id !== null, geocodeAs: id })}
    />
  )
}

function typeOf({ type }: FlowComponent): string {
  return (type ?? "String").toLowerCase()
}
