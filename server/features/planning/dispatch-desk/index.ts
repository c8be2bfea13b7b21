export { deskErrors } from "./errors.ts"
export { dispatchDeskRoutes } from "./routes.ts"
export { lookUp, maxPlacesOfPerson, travelTable } from "./travel.ts"
