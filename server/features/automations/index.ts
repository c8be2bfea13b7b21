import type { App } from "#core/http/types.ts"
import { deliveryRoutes, rotationRoutes } from "./delivery-routes.ts"
import { automationLogRoutes } from "./log-routes.ts"
import { singleAutomationRoutes } from "./routes.ts"

export { sealStoredAutomations } from "./automation-secrets.ts"
export { eventFeedRoutes } from "./feed-routes.ts"
export { automationJobs, enqueueAutomations } from "./jobs.ts"
export { automationRestorer } from "./restore-automation.ts"

export function automationRoutes(app: App): void {
  singleAutomationRoutes(app)
  automationLogRoutes(app)
  deliveryRoutes(app)
  rotationRoutes(app)
}
export { describeWebhooks } from "./webhook-description.ts"
