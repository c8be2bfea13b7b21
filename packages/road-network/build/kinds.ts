import { roadClasses } from "../tags/modes.ts"
import type { WayMeaning } from "../tags/read-way.ts"

/** Records of what ways mean, each once. */
export interface KindPool {
  numberOf(meaning: WayMeaning): number
  /** `numberOfText` numbers the lanes. */
  take(numberOfText: (text: string) => number): KindColumns
}

interface KindColumns {
  kindClass: Uint8Array
  kindFlags: Uint8Array
  kindDestination: Uint8Array
  /** Hundredths of km/h: `[(kind * modes + mode) * 2 + direction]`. */
  kindSpeeds: Uint16Array
  /** Height, width, length in centimetres, weight in tens of kilograms: `[kind * 4 + limit]`. */
  kindLimits: Uint16Array
  /** Texts: `[kind * 2 + direction]`. */
  kindLanes: Uint32Array
}

export function createKindPool(): KindPool {
  const kinds = new Map<string, WayMeaning>()
  const numbersByKey = new Map<string, number>()
  return {
    numberOf(meaning) {
      const { roadClass, flags, speeds, destinationOnly, lanes } = meaning
      const key = `${roadClass} ${flags} ${speeds} ${destinationOnly} ${limitsOf(meaning)} ${lanes.join(" ")}`
      const known = numbersByKey.get(key)
      if (known !== undefined) return known
      numbersByKey.set(key, kinds.size)
      kinds.set(key, meaning)
      return kinds.size - 1
    },
    take(numberOfText) {
      const all = [...kinds.values()]
      return {
        kindClass: Uint8Array.from(all, ({ roadClass }) => roadClasses.indexOf(roadClass)),
        kindFlags: Uint8Array.from(all, ({ flags }) => flags),
        kindDestination: Uint8Array.from(all, ({ destinationOnly }) => destinationOnly),
        kindSpeeds: Uint16Array.from(all.flatMap(({ speeds }) => speeds)),
        kindLimits: Uint16Array.from(all.flatMap(limitsOf)),
        kindLanes: Uint32Array.from(all.flatMap(({ lanes }) => lanes.map(numberOfText))),
      }
    },
  }
}

function limitsOf({ maxHeight, maxWidth, maxLength, maxWeight }: WayMeaning): number[] {
  return [maxHeight, maxWidth, maxLength, maxWeight]
}

/** A ferry's speeds from its timetable. */
export function withTimetable(meaning: WayMeaning, meters: number): WayMeaning {
  if (!meaning.ferrySeconds) return meaning
  const speed = Math.min(10_000, Math.max(1, Math.round((meters / meaning.ferrySeconds) * 360)))
  return { ...meaning, speeds: meaning.speeds.map((open) => (open === 0 ? 0 : speed)) }
}
