import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { valueText } from "#shared/values.ts"
import { type FlowConfiguration, type FlowPage, inputTypeOf } from "../../flows/index.ts"
import type { ComponentValues } from "./component-values.ts"

const headings = ["title", "content", "label"] as const

export interface Derived {
  /** The three headings as text, by which tasks are searched and sorted. */
  title: string | null
  content: string | null
  label: string | null
  /** Headings whose value is not text, in their own form. Kept with the rarer fields. */
  forms: Record<string, unknown>
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
    return component ? values[component.id] : undefined
  }
  // Without a component that is shown so, one that has the heading's name as its id supplies it.
  const heading = (name: (typeof headings)[number]) =>
    components.some(({ showAs }) => showAs === name) ? shown(name) : values[name]
  const routed = components.find((component) => component.routeAs === "Coordinate")
  const expectedCoordinate =
    valueText(shown("expectedCoordinate")) ?? (routed ? valueText(values[routed.id]) : null)
  const place = expectedCoordinate === null ? undefined : parseLatLng(expectedCoordinate)
  const locks = components.filter(
    (component) =>
      component.component === "input" &&
      inputTypeOf(component) === "Geolocation" &&
      component.useGeoLock !== undefined,
  )
  return {
    title: valueText(heading("title")),
    content: valueText(heading("content")),
    label: valueText(heading("label")),
    forms: formsOf(heading),
    expectedCoordinate,
    lng: place?.[0] ?? null,
    lat: place?.[1] ?? null,
    useGeoLock: locks.some((component) => component.useGeoLock === true),
    geoLock: locks.flatMap((component) => {
      const at = valueText(values[component.id])
      return at === null
        ? []
        : [{ geoLocation: at, radius: typeof component.radius === "number" ? component.radius : null }]
    }),
    geoLockTrigger:
      locks.map((component) => component.geoLockTrigger).find((trigger) => typeof trigger === "string") ??
      null,
  }
}

function formsOf(heading: (name: (typeof headings)[number]) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    headings.flatMap((name) => {
      const value = heading(name)
      const isText = value === undefined || value === null || typeof value === "string"
      return isText ? [] : [[name, value]]
    }),
  )
}

/** The rarer fields without the headings of before. */
export function withoutForms(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).filter(([key]) => !headings.some((name) => name === key)),
  )
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
