export { mailJobs } from "./jobs.ts"
export { outboxRoutes } from "./outbox-routes.ts"
export { type Addressee, queueMail } from "./queue-mail.ts"
export { mailLanguages } from "./texts.ts"
