export { answerSession, LoginEnvelope, sessionRoutes } from "./routes.ts"
export { openSession, type Session } from "./sign-in.ts"
