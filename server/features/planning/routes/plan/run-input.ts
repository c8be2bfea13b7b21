import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { Terms } from "../../../work/vehicles/index.ts"
import type { Settings } from "../settings/settings.ts"

/**
 * What a plan is made from, as it was when the run was asked for: kept with the result, so that a run can
 * start again and a change by hand follows the same rules.
 */
export interface RunInput {
  readonly hub: PlaceOfHub
  readonly subHubs: readonly PlaceOfHub[]
  /** Y-m-d */
  readonly routingDate: string
  readonly settings: Settings
  /** Whether groups count: the profile says so, or nobody said anything and visits carry groups. */
  readonly usesGroups: boolean
  readonly visits: readonly InputVisit[]
  readonly vehicles: readonly InputVehicle[]
  /** Rings of the odd-even zone. */
  readonly zone: readonly (readonly LngLat[])[]
  /** Seconds of search; without it by the number of visits. */
  readonly seconds?: number
  /** Id of the result that it is compared with: the same without some vehicles. */
  readonly basedOn?: string
}

export interface PlaceOfHub {
  readonly id: string
  readonly name: string
  readonly address: string
  /** "lat,lng" as given. */
  readonly coordinate: string
  readonly position: LngLat
}

export interface OwnPlace {
  readonly coordinate: string
  readonly position: LngLat
}

export interface Span {
  readonly startTime: string | null
  readonly endTime: string | null
}

export interface InputVisit {
  readonly id: string
  readonly name: string
  readonly address: string
  /** As sent; without `position` it names no place, and the visit is dropped for it. */
  readonly coordinate: string
  readonly position?: LngLat
  /** Why no plan can take it: it is dropped with these words. */
  readonly invalid?: string
  readonly capacity: Readonly<Record<string, number>>
  readonly timeWindow: Span
  readonly timeWindows?: readonly Span[]
  /** Minutes as given; null: by the settings. */
  readonly visitTime: number | null
  /** The same in the form in which it was sent, where that is no number. */
  readonly givenVisitTime?: unknown
  /** The caller's tags, then those of the areas that it lies in. */
  readonly tags: readonly string[]
  readonly assignedVehicleId?: string
  /** Id, name or driver of the vehicle that should serve it. */
  readonly preferredVehicle?: string
  readonly visitGroup?: string
  readonly visitGroupPriority?: number
  readonly useVisitGroup?: boolean
  readonly priority?: number
  /** Clock time at which its goods are at the hub. */
  readonly releaseTime?: string
  /** Id of the visit where its goods are loaded. */
  readonly pickupVisitId?: string
  /** Visits that end before it begins, with minutes in between. */
  readonly after?: readonly {
    readonly visitId: string
    readonly minMinutes?: number
    readonly maxMinutes?: number
  }[]
  /** Vehicles that begin it at the same time; more than one. */
  readonly workers?: number
  /** Y-m-d: the days of a plan over several days on which it may be served. */
  readonly days?: readonly string[]
  /** Y-m-d: those on which it should be served; another one does for a detour. */
  readonly preferredDays?: readonly string[]
  /** Clock time at which it was first dispatched to be reached. */
  readonly promisedTime?: string
}

export interface InputVehicle {
  readonly id: string
  readonly name: string
  readonly assignee: string
  /** km/h */
  readonly speed: number
  /** By own history or by the road service, so shown as "auto". */
  readonly isSpeedAuto: boolean
  readonly fixedCost: number
  readonly oddEven: "odd" | "even" | null
  readonly capacity: Readonly<Record<string, { readonly min: number; readonly max: number | null }>>
  readonly tags: readonly string[]
  readonly workingTime: { readonly startTime: string; readonly endTime: string }
  readonly breakTime: Span
  /** Where it starts: the hub, or one of the sub-hubs. */
  readonly hubId: string
  readonly allowSubHub: boolean
  /** Limits, overtime, costs and certificates; maxDistance as it was sent or a change by hand has set it. */
  readonly maxDistance?: number
  /** Minutes from leaving to the end. */
  readonly maxDuration?: number
  readonly maxOvertime?: number
  /** Its break is that long, somewhere within breakTime. */
  readonly breakMinutes?: number
  /** Weekdays on which it works, and days on which it does not. */
  readonly workDays?: Terms["workDays"]
  readonly daysOff?: Terms["daysOff"]
  readonly costs?: Terms["costs"]
  readonly co2PerKilometer?: number
  readonly skills?: Terms["skills"]
  /** Other places than the hub to start and to end. */
  readonly start?: OwnPlace
  readonly end?: OwnPlace
}
