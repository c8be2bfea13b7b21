import { lanesOf, nameOf, type RoadNetwork } from "../network.ts"

/** Degrees to the right of straight on, by what is painted on a lane. */
const painted = {
  none: 0,
  straight: 0,
  "slight right": 45,
  right: 90,
  "sharp right": 135,
  "slight left": -45,
  left: -90,
  "sharp left": -135,
  uturn: -180,
} as const
type Indication = keyof typeof painted

/** A lane whose arrow points further away from a road does not lead there. */
const maxDegreesBeside = 70

/** OpenStreetMap's words where they differ. */
const aliases: Readonly<Record<string, Indication>> = { "": "none", through: "straight", reverse: "uturn" }

export interface Lane {
  indications: Indication[]
  /** Whether the lane leads where the route goes. */
  valid: boolean
}

interface Exit {
  directed: number
  /** Degrees to the right of straight on. */
  turn: number
}

/**
 * The lanes at a junction, from left to right. Undefined without lanes, where the road goes on with the same ones, and where
 * none of them leads to the road that is taken.
 */
export function turnLanes(
  network: RoadNetwork,
  arriving: number,
  { taken, exits }: { taken: number; exits: readonly Exit[] },
): Lane[] | undefined {
  const text = lanesOf(network, arriving)
  if (text === "") return undefined
  const goesOn = exits.some(
    ({ directed }) =>
      lanesOf(network, directed) === text &&
      nameOf(network, directed >>> 1) === nameOf(network, arriving >>> 1),
  )
  if (goesOn) return undefined
  const leadsTo = (indication: Indication) => {
    const far = ({ turn }: Exit) => Math.abs(turn - painted[indication])
    return exits
      .filter((exit) => far(exit) <= maxDegreesBeside)
      .reduce<Exit | undefined>((best, exit) => (best && far(best) <= far(exit) ? best : exit), undefined)
  }
  const lanes = text.split("|").map((lane): Lane => {
    const indications = [...new Set(lane.split(";").map(indicationOf))]
    return { indications, valid: indications.some((indication) => leadsTo(indication)?.directed === taken) }
  })
  return lanes.some(({ valid }) => valid) ? lanes : undefined
}

function indicationOf(word: string): Indication {
  const plain = word.trim()
  if (Object.hasOwn(aliases, plain)) return aliases[plain] as Indication
  const name = plain.replaceAll("_", " ")
  return Object.hasOwn(painted, name) ? (name as Indication) : "none"
}
