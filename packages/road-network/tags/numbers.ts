/** Speeds, lengths, weights and durations as mappers write them. Undefined for anything else. */

const speedZones: Record<string, number> = {
  urban: 50,
  rural: 90,
  trunk: 100,
  motorway: 120,
  living_street: 10,
  bicycle_road: 30,
}

/** Kilometres per hour. "50", "30 mph", "walk", "none", "DE:urban", "FR:zone30". */
export function parseSpeed(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const value = text.trim().toLowerCase()
  if (value === "none") return 140
  if (value === "walk") return 7
  const number = /^(\d{1,3}(?:\.\d{1,3})?) ?(km\/h|kmh|kph|mph|knots)?(?=$|[ ;|])/.exec(value)
  if (number) {
    const factor = number[2] === "mph" ? 1.609344 : number[2] === "knots" ? 1.852 : 1
    const speed = Number(number[1]) * factor
    return speed >= 1 ? Math.min(speed, 140) : undefined
  }
  const zone = /^[a-z]{2}(?:-[a-z]{1,3})?:(?:zone:?)?([a-z_]+|\d{1,3})$/.exec(value)?.[1]
  if (zone === undefined) return undefined
  return /^\d/.test(zone) ? Math.min(Math.max(Number(zone), 5), 140) : speedZones[zone]
}

/** Metres. "3.5", "3,5 m", "11'6\"", "12 ft". */
export function parseMeters(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const value = text.trim().toLowerCase().replace(",", ".")
  const feet = /^(\d{1,3})'(?: ?(\d{1,2})(?:"|''))?$/.exec(value)
  if (feet) return Number(feet[1]) * 0.3048 + Number(feet[2] ?? 0) * 0.0254
  const plain = /^(\d{1,3}(?:\.\d{1,3})?) ?(m|ft|feet)?$/.exec(value)
  if (!plain) return undefined
  const meters = Number(plain[1]) * (plain[2] === "ft" || plain[2] === "feet" ? 0.3048 : 1)
  return meters > 0 ? meters : undefined
}

/** Tonnes. "7.5", "7.5 t", "3500 kg", "10000 lbs", "5 st" (short tons). */
export function parseTonnes(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const value = text.trim().toLowerCase().replace(",", ".")
  const match = /^(\d{1,6}(?:\.\d{1,3})?) ?(t|kg|lbs?|st)?$/.exec(value)
  if (!match) return undefined
  const factors: Record<string, number> = { kg: 0.001, lb: 0.00045359, lbs: 0.00045359, st: 0.90718 }
  const tonnes = Number(match[1]) * (factors[match[2] ?? "t"] ?? 1)
  return tonnes > 0 ? tonnes : undefined
}

/** Seconds. "20" (minutes), "01:30", "1:30:00", "PT1H30M". */
export function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const value = text.trim().toUpperCase()
  const clock = /^(\d{1,3}):(\d{2})(?::(\d{2}))?$/.exec(value)
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0) || undefined
  if (/^\d{1,5}$/.test(value)) return Number(value) * 60 || undefined
  const iso = /^P(?:(\d{1,2})D)?T?(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?$/.exec(value)
  if (!iso) return undefined
  const units = [86_400, 3600, 60, 1]
  return units.reduce((sum, unit, place) => sum + unit * Number(iso[place + 1] ?? 0), 0) || undefined
}
