const latitudeWords = /^(lat|latitude|latitud)$/
const longitudeWords = /^(lon|lng|long|longitude|longitud)$/
/** Words around a latitude that say only what it is measured in. */
const unitWords = new Set(["deg", "degree", "degrees", "wgs84", "dd"])

/** The words of a title, which may be written together: `latitudeDeg`, `latitude_deg`. */
export function wordsOf(header: string): string[] {
  return header
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
}

/** The positions of a latitude and a longitude, the plainest pair: `latitude_deg` before `dme_latitude_deg`. */
export function coordinatePair(
  headers: readonly string[],
  isOpen: (position: number) => boolean,
): [number, number] | undefined {
  const plainest = (pattern: RegExp) =>
    headers
      .map((header, position) => ({
        position,
        words: wordsOf(header).filter((word) => !unitWords.has(word)),
      }))
      .filter(({ position, words }) => isOpen(position) && words.some((word) => pattern.test(word)))
      .sort((one, other) => one.words.length - other.words.length)[0]?.position
  const [latitude, longitude] = [plainest(latitudeWords), plainest(longitudeWords)]
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude]
}
