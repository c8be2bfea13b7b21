import type { Profile, ProfileBody } from "./profiles.queries.ts"

/** A profile as its form holds it: numbers may be empty while they are typed, distances are kilometres. */
export interface ProfileDraft {
  name: string
  defaultVisitTime: number | string
  /** Minutes per unit, by constraint. */
  perUnit: Readonly<Record<string, number | string>>
  defaultSpeed: number | string
  autoSpeed: boolean
  capacityConstraint: string[]
  returnToHub: boolean
  returnAfterWorkingTime: boolean
  multitrip: boolean
  numberOfMultitrip: number | string
  multidayOption: Profile["multidayOption"]
  useAllVehicle: boolean
  fairness: Profile["fairness"]
  reserveMinutes: number | string
  promiseMinutes: number | string
  clustering: Profile["clustering"]
  autoSplit: Profile["autoSplit"]
  autoMerge: boolean
  useVisitGroup: boolean
  /** Null: a person decides about every proposal. */
  acceptProposals: Record<ProposalLimit, number | string> | null
  maxLateMinutes: number | string
  costPerLateMinute: number | string
  avoidToll: boolean
  roadProfile: string
  useOddEven: boolean
  oddEvenTime: { startTime: string; endTime: string }[]
  crossDockingType: Profile["crossDockingType"]
  subHubs: string[]
  subHubKilometers: number | string
  /** Null: all areas that are switched on. */
  geoTagging: string[] | null
}

export const proposalLimits = [
  "movedVisits",
  "minutes",
  "lateVisits",
  "droppedVisits",
  "brokenPromises",
] as const
export type ProposalLimit = (typeof proposalLimits)[number]
export const noChanges: Record<ProposalLimit, number> = {
  movedVisits: 0,
  minutes: 0,
  lateVisits: 0,
  droppedVisits: 0,
  brokenPromises: 0,
}

export function profileDraftOf(profile: Profile): ProfileDraft {
  const { vehicleSubHubDistanceLimit, dynamicVisitTime, capacityConstraint, subHubs, ...same } = profile
  return {
    ...same,
    capacityConstraint: capacityConstraint.map(({ name }) => name),
    subHubs: [...subHubs],
    acceptProposals: profile.acceptProposals && { ...noChanges, ...profile.acceptProposals },
    perUnit: Object.fromEntries(dynamicVisitTime.map(({ name, visitTime }) => [name, visitTime])),
    subHubKilometers: vehicleSubHubDistanceLimit === null ? "" : vehicleSubHubDistanceLimit / 1000,
  }
}

const defaultMinutes = 10
const defaultKilometersPerHour = 25
const defaultTrips = 5

const numberOr = (value: number | string, otherwise: number) => (value === "" ? otherwise : Number(value))

export function profileBodyOf(draft: ProfileDraft): ProfileBody {
  const { name, capacityConstraint, perUnit, subHubs } = draft
  const isDocking = draft.crossDockingType !== "none"
  return {
    name: name.trim(),
    capacityConstraint,
    defaultVisitTime: numberOr(draft.defaultVisitTime, defaultMinutes),
    dynamicVisitTime: capacityConstraint.flatMap((constraint) => {
      const visitTime = numberOr(perUnit[constraint] ?? "", 0)
      return visitTime > 0 ? [{ name: constraint, visitTime }] : []
    }),
    defaultSpeed: numberOr(draft.defaultSpeed, defaultKilometersPerHour),
    autoSpeed: draft.autoSpeed,
    returnToHub: draft.returnToHub,
    returnAfterWorkingTime: draft.returnAfterWorkingTime,
    multitrip: draft.multitrip,
    numberOfMultitrip: numberOr(draft.numberOfMultitrip, defaultTrips),
    multidayOption: draft.multidayOption,
    useAllVehicle: draft.useAllVehicle,
    fairness: draft.fairness,
    reserveMinutes: numberOr(draft.reserveMinutes, 0),
    promiseMinutes: numberOr(draft.promiseMinutes, 60),
    clustering: draft.clustering,
    autoSplit: draft.autoSplit,
    autoMerge: draft.autoMerge,
    useVisitGroup: draft.useVisitGroup,
    acceptProposals:
      draft.acceptProposals &&
      Object.fromEntries(
        proposalLimits.map((name) => [name, numberOr(draft.acceptProposals?.[name] ?? "", 0)]),
      ),
    maxLateMinutes: numberOr(draft.maxLateMinutes, 0),
    costPerLateMinute: numberOr(draft.costPerLateMinute, 0),
    avoidToll: draft.avoidToll,
    roadProfile: draft.roadProfile,
    useOddEven: draft.useOddEven,
    oddEvenTime: draft.oddEvenTime.filter(({ startTime, endTime }) => startTime !== "" && endTime !== ""),
    crossDockingType: draft.crossDockingType,
    subHubs: isDocking ? subHubs : [],
    ...(isDocking && draft.subHubKilometers !== ""
      ? { vehicleSubHubDistanceLimit: Math.round(Number(draft.subHubKilometers) * 1000) }
      : {}),
    ...(draft.geoTagging === null ? {} : { geoTagging: draft.geoTagging }),
  }
}
