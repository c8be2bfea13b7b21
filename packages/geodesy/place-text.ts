import type { LngLat } from "./geodesy.ts"
import { parseLatitude, parseLongitude } from "./lng-lat-text.ts"

const number = "([+-]?\\d{1,3}(?:\\.\\d{1,25})?)"

/** Addresses of map services that carry a position; the most exact form of each service first. */
const links: readonly RegExp[] = [
  new RegExp(`^geo:${number},${number}`, "i"),
  new RegExp(`!3d${number}!4d${number}`),
  new RegExp(
    `[?&#](?:q|query|ll|sll|daddr|destination|center|latlng|cbll|viewpoint)=(?:loc:)?${number}(?:,|%2C|\\+|%20)+${number}`,
    "i",
  ),
  new RegExp(`[?&#]mlat=${number}&mlon=${number}`),
  new RegExp(`/@${number},${number}`),
  new RegExp(`#map=\\d{1,2}(?:\\.\\d{1,3})?/${number}/${number}`),
  new RegExp(`[?&]cp=${number}~${number}`),
  new RegExp(`/(?:place|search|dir)/${number},\\+?${number}`),
]
/** Latitude and longitude with something between them: `52.37, 4.89`, `52.37 4.89`. */
const plain = new RegExp(`^\\(?${number}\\s*(?:[,;]\\s*|\\s)${number}\\)?$`)
const degrees =
  /^([+-]?\d{1,3}(?:\.\d{1,12})?)\s*°?\s*(?:(\d{1,2}(?:\.\d{1,12})?)\s*['′’]\s*)?(?:(\d{1,2}(?:\.\d{1,12})?)\s*(?:["″”]|'')\s*)?([NSEWO])$/i
const maxLength = 2_000

/**
 * A position from what people paste: `lat,lng`, degrees with minutes or compass letters, a `geo:` address, or a link of
 * Google Maps, OpenStreetMap, Apple Maps, Bing or Waze. Undefined for anything else, such as a shortened link.
 */
export function parsePlaceText(text: string): LngLat | undefined {
  const trimmed = text.slice(0, maxLength).trim()
  for (const pattern of isPlaceLink(trimmed) ? links : [plain]) {
    const [, lat, lon] = pattern.exec(trimmed) ?? []
    const [latitude, longitude] = [parseLatitude(lat), parseLongitude(lon)]
    if (latitude !== undefined && longitude !== undefined) return [longitude, latitude]
  }
  return parseCompass(trimmed)
}

/** An address of a page or a position, with or without a position in it. */
export const isPlaceLink = (text: string): boolean => /^(?:https?:\/\/|geo:)/i.test(text)

/** `34°54'11"S 56°11'17"W`, in either order. */
function parseCompass(text: string): LngLat | undefined {
  const parts = text.split(/(?<=[NSEWO])[\s,;]{1,3}/i)
  if (parts.length !== 2) return undefined
  let [latitude, longitude]: (number | undefined)[] = [undefined, undefined]
  for (const part of parts) {
    const [, whole, minutes = "0", seconds = "0", letter = ""] = degrees.exec(part.trim()) ?? []
    const size = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
    const signed = /[SWO]/i.test(letter) ? -size : size
    // Six decimals of a degree are a tenth of a metre.
    const rounded = Math.round(signed * 1e6) / 1e6
    if (/[NS]/i.test(letter)) latitude = parseLatitude(rounded)
    else longitude = parseLongitude(rounded)
  }
  return latitude === undefined || longitude === undefined ? undefined : [longitude, latitude]
}
