import type { App } from "#core/http/types.ts"
import { recorderOf } from "../positions/index.ts"
import { deviceKeyRoutes } from "./key-routes.ts"
import { deviceProtocolRoutes } from "./protocol-routes.ts"

export function deviceRoutes(app: App): void {
  deviceKeyRoutes(app)
  deviceProtocolRoutes(app, recorderOf(app.sql))
}
