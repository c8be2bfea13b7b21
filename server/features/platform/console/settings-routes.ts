import { Type } from "typebox"
import type { App } from "#core/http/types.ts"

/** What the console must know before anybody has signed in. */
export function consoleSettingsRoutes(app: App): void {
  app.get(
    "/console-settings",
    {
      config: { public: true },
      schema: {
        tags: ["Console"],
        operationId: "getConsoleSettings",
        summary: "Get the settings of this installation for the console",
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Object({ mapStyleUrl: Type.Union([Type.String(), Type.Null()]) }),
          }),
        },
      },
    },
    async () => ({ status: true as const, data: { mapStyleUrl: app.settings.mapStyleUrl ?? null } }),
  )
}
