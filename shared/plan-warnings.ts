/**
 * Everything that a plan's `warnings` say. Results store the English text; the console reads the key and
 * the values back. Where one text begins like another, the longer one comes first.
 */
export const planWarnings = {
  roadTimesOwnSpeeds: "Road times, map of {date}, at your own speeds",
  roadTimes: "Road times, map of {date}",
  roadDistances: "Road distances at the speed of each vehicle, map of {date}",
  noRoadMore: "No road leads to {places} and {more} more from most of the other places",
  noRoad: "No road leads to {places} from most of the other places",
  tooManyPlaces: "Great-circle distances: the plan has more than {count} places",
  roadsLate: "Great-circle distances: the road network did not respond in time",
  noMap: "Great-circle distances: no installed map covers most of the places",
  noMapAtAll: "Great-circle distances: no map with roads is installed",
  legsSlow:
    "Great-circle distances are used for {missing} of {all} legs, because the road service returned none (it took more than {seconds} s)",
  legsNoRoute:
    "Great-circle distances are used for {missing} of {all} legs, because the road service returned none (it found no route)",
  legsFailed:
    "Great-circle distances are used for {missing} of {all} legs, because the road service returned none (it failed: {reason})",
  tollNotOffered: "avoidToll has no effect: the road service does not offer it",
  tollWithoutRoads: "avoidToll has no effect: distances are great-circle, without roads",
  oddEvenWithoutZone:
    "useOddEven has no effect: the organization data oddEvenZone with the restricted area is missing",
  oneWithoutCosts: "{count} vehicle has no costs: those of the other vehicles are used, on average",
  manyWithoutCosts: "{count} vehicles have no costs: those of the other vehicles are used, on average",
} as const

export type PlanWarning = keyof typeof planWarnings
type Values = Readonly<Record<string, string | number>>

/** Those that say what a plan was made with, and limit nothing. */
const facts: readonly PlanWarning[] = ["roadTimesOwnSpeeds", "roadTimes", "roadDistances"]

export function isPlanFact(warning: string): boolean {
  const key = readPlanWarning(warning)?.key
  return key !== undefined && facts.includes(key)
}

export function planWarning(key: PlanWarning, values: Values = {}): string {
  return partsOf(planWarnings[key])
    .map((part, index) => (index % 2 === 0 ? part : String(values[part] ?? "")))
    .join("")
}

/** Which of the texts it is, and the values in it; undefined for one of another version. */
export function readPlanWarning(
  text: string,
): { key: PlanWarning; values: Record<string, string> } | undefined {
  for (const key of Object.keys(planWarnings) as PlanWarning[]) {
    const values = readValues(text, partsOf(planWarnings[key]))
    if (values) return { key, values }
  }
  return undefined
}

/** Words and, at odd places, names of values. */
function partsOf(template: string): string[] {
  return template.split(/[{}]/)
}

function readValues(text: string, parts: readonly string[]): Record<string, string> | undefined {
  const [start = "", ...rest] = parts
  if (!text.startsWith(start)) return undefined
  const values: Record<string, string> = {}
  let from = start.length
  for (let p = 0; p < rest.length; p += 2) {
    const [name = "", words = ""] = [rest[p], rest[p + 1]]
    const isLast = p + 2 >= rest.length
    const to = isLast ? text.length - words.length : text.indexOf(words, from)
    if (to < from || !text.startsWith(words, to)) return undefined
    values[name] = text.slice(from, to)
    from = to + words.length
  }
  return from === text.length ? values : undefined
}
