import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { ShownMapSchema, shownMaps } from "../../location/maps/index.ts"

const ExtraLayerSchema = Type.Object({
  title: Type.String(),
  tiles: Type.String(),
  attribution: Type.String(),
  maxZoom: Type.Number(),
  tileSize: Type.Number(),
})

/** What the console must know before anybody has signed in. */
export function consoleSettingsRoutes(app: App): void {
  app.get("/console-settings", {
    config: { public: true },
    schema: {
      operationId: "getConsoleSettings",
      summary: "Settings of this installation that the console needs",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({
            mapStyleUrl: Type.Union([Type.String(), Type.Null()]),
            maps: Type.Array(ShownMapSchema, { description: "Street maps of the installation" }),
            mapLayers: Type.Array(ExtraLayerSchema, { description: "Further layers of pictures" }),
          }),
        }),
      },
    },
    handler: async () => ({
      status: true as const,
      data: {
        mapStyleUrl: app.settings.mapStyleUrl ?? null,
        maps: await shownMaps(app),
        mapLayers: [...app.settings.mapLayers],
      },
    }),
  })
}
