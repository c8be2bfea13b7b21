export { messageErrors } from "./errors.ts"
export { mayReadMessagePhoto } from "./list-conversations.ts"
export { messageRoutes } from "./routes.ts"
