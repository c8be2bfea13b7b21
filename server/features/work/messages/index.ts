export { messageErrors } from "./errors.ts"
export { mayReadMessagePhoto } from "./list-conversations.ts"
export { messageRoutes } from "./routes.ts"
export { sendFromOutside } from "./send-from-outside.ts"
