export { auditedHub } from "./audited-hub.ts"
export { copyHubs } from "./copy-hubs.ts"
export {
  findHub,
  type HubRow,
  hasAccessToHub,
  hubCountry,
  hubNames,
  listHubs,
  nameOfHub,
  placesOfHubs,
} from "./queries.ts"
export { hubRestorer } from "./restore-hub.ts"
export { hubRoutes } from "./routes.ts"
export { NewHub } from "./schemas.ts"
export { createFirstHub, type HubHooks, type HubOfCaller } from "./write-hub.ts"
