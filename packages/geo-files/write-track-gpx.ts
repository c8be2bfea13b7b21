import { degrees, pieceLength, type WrittenPosition, type WrittenTrack } from "./track.ts"
import { escapeXml } from "./xml-text.ts"

/**
 * GPX 1.1 of any number of tracks, as pieces of text. Speed (m/s) and course travel in Garmin's TrackPointExtension
 * version 2, which common readers know; GPX itself has no place for them.
 */
export async function* writeTracksAsGpx(
  tracks: Iterable<WrittenTrack> | AsyncIterable<WrittenTrack>,
): AsyncGenerator<string> {
  let piece =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gpx version="1.1" creator="Fieldway" xmlns="http://www.topografix.com/GPX/1/1"' +
    ' xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n'
  for await (const track of tracks) {
    piece += `<trk><name>${escapeXml(track.name)}</name>`
    if (track.description !== undefined) piece += `<desc>${escapeXml(track.description)}</desc>`
    piece += "<trkseg>\n"
    for await (const batch of track.positions) {
      for (const position of batch) {
        piece += trackPoint(position)
        if (piece.length >= pieceLength) {
          yield piece
          piece = ""
        }
      }
    }
    piece += "</trkseg></trk>\n"
  }
  yield `${piece}</gpx>\n`
}

function trackPoint(point: WrittenPosition): string {
  const [longitude, latitude] = point.position
  let text = `<trkpt lat="${degrees(latitude)}" lon="${degrees(longitude)}">`
  if (point.altitudeMeters !== undefined) text += `<ele>${point.altitudeMeters}</ele>`
  text += `<time>${new Date(point.recordedAt).toISOString()}</time>`
  if (point.speedMetersPerSecond !== undefined || point.bearingDegrees !== undefined) {
    text += "<extensions><tpx:TrackPointExtension>"
    if (point.speedMetersPerSecond !== undefined)
      text += `<tpx:speed>${point.speedMetersPerSecond}</tpx:speed>`
    if (point.bearingDegrees !== undefined) text += `<tpx:course>${point.bearingDegrees}</tpx:course>`
    text += "</tpx:TrackPointExtension></extensions>"
  }
  return `${text}</trkpt>\n`
}
