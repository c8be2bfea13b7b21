import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { tileTypes } from "#packages/vector-tiles/index.ts"
import { styleFile } from "../files.ts"
import { signedQuery } from "./access.ts"
import { mapStoreOf } from "./map-store.ts"

export const ShownMapSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    bounds: Type.Array(Type.Number(), { description: "West, south, east, north in degrees" }),
    type: Type.Unsafe<"vector" | "raster">(Type.String({ enum: ["vector", "raster"] })),
    tiles: Type.String({ description: "Address of tiles, relative to the origin, signed for a day" }),
    style: Type.Union([Type.String(), Type.Null()], {
      description: "Address of the map's own style; null: the built-in styles",
    }),
    minZoom: Type.Integer(),
    maxZoom: Type.Integer(),
    attribution: Type.String(),
    hasAddresses: Type.Boolean({ description: "Its addresses can be searched" }),
  },
  { title: "ShownMap" },
)

/**
 * The maps for the console, the phone page and public pages. Their addresses are signed, since a public page has no
 * session; what they show is public data.
 */
export async function shownMaps(app: App) {
  const store = mapStoreOf({ sql: app.sql, objects: app.objects, config: app.settings })
  const regions = await store.regions()
  const opened = await Promise.all(regions.map(({ name }) => store.opened(name).catch(() => undefined)))
  return opened
    .filter((map) => map !== undefined)
    .map(({ region, archive: { header } }) => {
      const query = `v=${region.version}&${signedQuery(app, region.name)}`
      const isVector = header.tileType === tileTypes.mvt
      return {
        name: region.name,
        version: region.version,
        bounds: [region.west, region.south, region.east, region.north],
        type: isVector ? ("vector" as const) : ("raster" as const),
        tiles: `/maps/${region.name}/{z}/{x}/{y}.${isVector ? "mvt" : "png"}?${query}`,
        style: region.files[styleFile] === undefined ? null : `/maps/${region.name}/style.json?${query}`,
        minZoom: header.minZoom,
        maxZoom: header.maxZoom,
        attribution: region.attribution,
        hasAddresses: region.report.addresses !== undefined,
      }
    })
}
