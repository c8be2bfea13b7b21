export { bookParts } from "./book-parts.ts"
export { stockErrors } from "./errors.ts"
export { stockRoutes } from "./routes.ts"
