export { feedbackErrors } from "./errors.ts"
export { ratedTasks } from "./queries.ts"
export { feedbackRoutes } from "./routes.ts"
export { findRating, saveRating, saveReply } from "./save-feedback.ts"
