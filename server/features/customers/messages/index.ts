import type { App } from "#core/http/types.ts"
import type { Job } from "#core/jobs/define-job.ts"
import { callbackRoutes } from "./callbacks/callback-routes.ts"
import { channelRoutes } from "./channels/channel-routes.ts"
import { removeOldMessages } from "./housekeeping.ts"
import { logRoutes } from "./log-routes.ts"
import { matchEvents } from "./match-events.ts"
import { sendMessage } from "./send-message.ts"
import { sweepJobs } from "./sweep.ts"
import { templateRoutes } from "./templates/template-routes.ts"

export { sealStoredChannels } from "./channels/channels.ts"
export { messageErrors as customerMessageErrors } from "./errors.ts"
export { announceNewTime, enqueueCustomerMessages } from "./match-events.ts"
export { queueNotification } from "./notification.ts"
export { addOptOut, addressesOf, hasOptedOut, removeOptOut } from "./page-opt-out.ts"
export { endOfQuiet } from "./quiet-hours.ts"
export { queueRequestMessages, type RequestMessage } from "./request-messages.ts"

export const customerMessageJobs: readonly Job[] = [matchEvents, sendMessage, ...sweepJobs, removeOldMessages]

export function customerMessageRoutes(app: App): void {
  channelRoutes(app)
  templateRoutes(app)
  logRoutes(app)
  callbackRoutes(app)
}
