export { bookParts } from "./book-parts.ts"
export { stockErrors } from "./errors.ts"
export { undoMovement } from "./levels.ts"
export { stockRoutes } from "./routes.ts"
