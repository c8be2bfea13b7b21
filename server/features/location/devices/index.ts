import type { App } from "#core/http/types.ts"
import { type OnPointsStored, recorderOf } from "../positions/index.ts"
import { deviceKeyRoutes } from "./key-routes.ts"
import { deviceProtocolRoutes } from "./protocol-routes.ts"

export function deviceRoutes(app: App, onPointsStored: OnPointsStored): void {
  deviceKeyRoutes(app)
  deviceProtocolRoutes(app, { recorder: recorderOf(app.sql), onPointsStored })
}
