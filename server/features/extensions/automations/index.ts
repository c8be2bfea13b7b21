import type { App } from "#core/http/types.ts"
import { automationLogRoutes } from "./log/log-routes.ts"
import { singleAutomationRoutes } from "./routes.ts"
import { deliveryRoutes, rotationRoutes } from "./webhooks/delivery-routes.ts"

export { sealStoredAutomations } from "./automation-secrets.ts"
export { automationJobs, enqueueAutomations } from "./jobs.ts"
export { eventFeedRoutes } from "./log/feed-routes.ts"
export { automationRestorer } from "./restore-automation.ts"

export function automationRoutes(app: App): void {
  singleAutomationRoutes(app)
  automationLogRoutes(app)
  deliveryRoutes(app)
  rotationRoutes(app)
}
export { describeWebhooks } from "./webhooks/webhook-description.ts"
