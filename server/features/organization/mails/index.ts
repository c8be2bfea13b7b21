export { mailJobs } from "./jobs.ts"
export { sealStoredMails } from "./kept-text.ts"
export { outboxRoutes } from "./outbox-routes.ts"
export { type Addressee, queueMail } from "./queue-mail.ts"
