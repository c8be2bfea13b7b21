export { findHeldSlot, keepSlot, releaseSlots } from "./held-slots.ts"
export { slotJobs } from "./jobs.ts"
export { bookSlot, offerSlots, type Slot, type SlotQuery } from "./offer-slots.ts"
export { slotRoutes } from "./routes.ts"
