import { degrees, pieceLength, type WrittenPosition, type WrittenTrack } from "./track.ts"

/**
 * A line's times follow its coordinates, so they wait in memory until the line ends. A long track becomes several
 * features of this many positions, each beginning where the one before ended; readers draw one line.
 */
const positionsPerFeature = 10_000

/**
 * GeoJSON (RFC 7946): a FeatureCollection with lines, as pieces of text. Times stand in
 * `properties.coordinateProperties.times`, one per coordinate, as common GPX converters write them.
 * A track of a single position becomes a point.
 */
export async function* writeTracksAsGeoJson(
  tracks: Iterable<WrittenTrack> | AsyncIterable<WrittenTrack>,
): AsyncGenerator<string> {
  let piece = '{"type":"FeatureCollection","features":['
  let separator = ""
  for await (const track of tracks) {
    let part: WrittenPosition[] = []
    let partCount = 0
    for await (const batch of track.positions) {
      for (const position of batch) {
        part.push(position)
        if (part.length < positionsPerFeature) continue
        piece += separator + feature(track, part)
        separator = ",\n"
        partCount++
        part = [position]
        if (piece.length >= pieceLength) {
          yield piece
          piece = ""
        }
      }
    }
    // After a full part only its last position is left, which has been written already.
    const isWritten = partCount > 0 && part.length === 1
    if (part.length > 0 && !isWritten) {
      piece += separator + feature(track, part)
      separator = ",\n"
    }
    if (piece.length >= pieceLength) {
      yield piece
      piece = ""
    }
  }
  yield `${piece}]}\n`
}

function feature(track: WrittenTrack, part: readonly WrittenPosition[]): string {
  const coordinates = part.map(coordinate)
  const geometry =
    coordinates.length === 1
      ? `{"type":"Point","coordinates":${coordinates[0]}}`
      : `{"type":"LineString","coordinates":[${coordinates.join(",")}]}`
  const properties = JSON.stringify({
    name: track.name,
    description: track.description,
    coordinateProperties: { times: part.map((point) => new Date(point.recordedAt).toISOString()) },
  })
  return `{"type":"Feature","geometry":${geometry},"properties":${properties}}`
}

function coordinate(point: WrittenPosition): string {
  const [longitude, latitude] = point.position
  const altitude = point.altitudeMeters === undefined ? "" : `,${point.altitudeMeters}`
  return `[${degrees(longitude)},${degrees(latitude)}${altitude}]`
}
