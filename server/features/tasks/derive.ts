import { parseLatLng } from "#shared/lng-lat-text.ts"
import { type FlowConfiguration, type FlowPage, inputTypeOf } from "../flows/index.ts"
import type { ComponentValues } from "./component-values.ts"

export interface Derived {
  title: string | null
  content: string | null
  label: string | null
  expectedCoordinate: string | null
  lng: number | null
  lat: number | null
  useGeoLock: boolean
  geoLock: { geoLocation: string; radius: number | null }[]
  geoLockTrigger: string | null
}

/** The keys that follow from the flow's showAs, routeAs and geo lock settings. Recomputed at every write. */
export function derive(pages: readonly FlowPage[], values: ComponentValues): Derived {
  const components = pages.flatMap((page) => page.components)
  const shown = (as: string) => {
    const component = components.find((candidate) => candidate.showAs === as)
    return component ? textOf(values[component.id]) : null
  }
  const routed = components.find((component) => component.routeAs === "Coordinate")
  const expectedCoordinate = shown("expectedCoordinate") ?? (routed ? textOf(values[routed.id]) : null)
  const place = expectedCoordinate === null ? undefined : parseLatLng(expectedCoordinate)
  const locks = components.filter(
    (component) =>
      component.component === "input" &&
      inputTypeOf(component) === "Geolocation" &&
      component.useGeoLock !== undefined,
  )
  return {
    title: shown("title"),
    content: shown("content"),
    label: shown("label"),
    expectedCoordinate,
    lng: place?.[0] ?? null,
    lat: place?.[1] ?? null,
    useGeoLock: locks.some((component) => component.useGeoLock === true),
    geoLock: locks.flatMap((component) => {
      const at = textOf(values[component.id])
      return at === null
        ? []
        : [{ geoLocation: at, radius: typeof component.radius === "number" ? component.radius : null }]
    }),
    geoLockTrigger:
      locks.map((component) => component.geoLockTrigger).find((trigger) => typeof trigger === "string") ??
      null,
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null
  if (Array.isArray(value)) return value.every((entry) => typeof entry !== "object") ? value.join(", ") : null
  return typeof value === "object" ? null : String(value)
}

const defaultAdjustmentHours = { startTime: 0, endTime: 24 } as const

/** Hours that a flow adds for a default start (to now) or end (to the start). */
export function adjustmentHours(
  configurations: readonly FlowConfiguration[],
  id: "startTime" | "endTime",
): number {
  const adjustment = Number(
    configurations.find((configuration) => configuration.id === id)?.adjustment ?? Number.NaN,
  )
  return Number.isFinite(adjustment) ? adjustment : defaultAdjustmentHours[id]
}
