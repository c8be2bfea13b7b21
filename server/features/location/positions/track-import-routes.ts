import { Type } from "typebox"
import { FilePart } from "#core/http/openapi/openapi.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import type { WriteContext } from "./store/record-entries.ts"
import { findVisibleMember, importTrack, readTrackUpload } from "./track/import-track.ts"

const TrackImportSchema = Type.Object(
  {
    tracks: Type.Integer({ description: "Tracks in the file" }),
    positions: Type.Integer({
      description: "Positions in these tracks; stored, known and refused add up to it",
    }),
    stored: Type.Integer(),
    known: Type.Integer({ description: "Positions that were stored before" }),
    refused: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
  },
  { title: "TrackImport" },
)

/** Tracks of a logger, a watch or another system become positions of a person. */
export function trackImportRoutes(
  app: App,
  storing: Pick<WriteContext, "recorder" | "onPointsStored">,
): void {
  app.post("/track/:userId/import", {
    config: { permission: "edit/member", body: "form", rateBucket: "positions" },
    schema: {
      operationId: "importTrack",
      summary: "Import tracks from a GPX, KML or GeoJSON file as positions of a person",
      description:
        "Tracks with times count: GPX tracks, gx:Track in KML, and lines of GeoJSON with coordinateProperties.times. Waypoints, routes and other shapes are ignored. At most 20 MB and 100,000 positions. Positions that were imported before are counted as known.",
      consumes: ["multipart/form-data"],
      params: Type.Object({ userId: IdSchema("user") }),
      form: Type.Object({ file: FilePart("GPX, KML or GeoJSON") }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: TrackImportSchema }),
      },
    },
    async handler(request) {
      const { caller, params, sql } = request
      const person = await findVisibleMember(sql, caller, params.userId)
      const bytes = await readTrackUpload(request)
      const context = { pool: app.sql, sql, ...storing, live: app.live, now: app.clock.now() }
      const data = await importTrack(context, caller, person, bytes)
      return { status: true as const, message: "Success", data }
    },
  })
}
