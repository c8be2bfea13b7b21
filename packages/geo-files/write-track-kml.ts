import { degrees, pieceLength, type WrittenPosition, type WrittenTrack } from "./track.ts"
import { escapeXml } from "./xml-text.ts"

/** In a track of KML all times come before all positions, so they wait in memory; a long track has several parts. */
const positionsPerPart = 10_000

/** KML 2.2 with gx:Track, as pieces of text: any number of tracks with times. */
export async function* writeTracksAsKml(
  tracks: Iterable<WrittenTrack> | AsyncIterable<WrittenTrack>,
): AsyncGenerator<string> {
  let piece =
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"' +
    ' xmlns:gx="http://www.google.com/kml/ext/2.2">\n<Document>\n'
  for await (const track of tracks) {
    piece += `<Placemark><name>${escapeXml(track.name)}</name>`
    if (track.description !== undefined) piece += `<description>${escapeXml(track.description)}</description>`
    piece += "<gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n"
    let part: WrittenPosition[] = []
    for await (const batch of track.positions) {
      for (const position of batch) {
        part.push(position)
        if (part.length < positionsPerPart) continue
        piece += trackPart(part)
        part = []
        if (piece.length >= pieceLength) {
          yield piece
          piece = ""
        }
      }
    }
    piece += `${part.length === 0 ? "" : trackPart(part)}</gx:MultiTrack></Placemark>\n`
  }
  yield `${piece}</Document>\n</kml>\n`
}

function trackPart(part: readonly WrittenPosition[]): string {
  const hasAltitude = part.every(({ altitudeMeters }) => altitudeMeters !== undefined)
  const times = part.map(({ recordedAt }) => `<when>${new Date(recordedAt).toISOString()}</when>`)
  const places = part.map(({ position: [lng, lat], altitudeMeters }) => {
    const altitude = hasAltitude ? ` ${altitudeMeters}` : " 0"
    return `<gx:coord>${degrees(lng)} ${degrees(lat)}${altitude}</gx:coord>`
  })
  const mode = hasAltitude ? "<altitudeMode>absolute</altitudeMode>" : ""
  return `<gx:Track>${mode}${times.join("")}\n${places.join("\n")}</gx:Track>\n`
}
