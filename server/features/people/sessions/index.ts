import type { App } from "#core/http/types.ts"
import { sessionRoutes as signInRoutes } from "./routes.ts"
import { secretRoutes } from "./secret-routes.ts"

export { beginChallenge, needsSecondFactor } from "./challenge.ts"
export { sessionJobs } from "./jobs.ts"
export { LoginEnvelope, respondWithSession } from "./respond-with-session.ts"
export { type Membership, openSession, roleDemands, type Session } from "./session.ts"
export { noteEntry } from "./sign-in.ts"

export function sessionRoutes(app: App): void {
  signInRoutes(app)
  secretRoutes(app)
}
