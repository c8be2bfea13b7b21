import { after, type TestContext } from "node:test"
import type { Environment } from "#core/config.ts"
import { anOrganization, type Organization } from "#samples/builders.ts"
import { type Between, type StartedApp, startApp, type TestApp } from "./start-app.ts"

export { type Calls, multipartBody, type Reply, type TestApp, tokenOf, type UploadFile } from "./start-app.ts"

let shared: Promise<StartedApp> | undefined

/**
 * The whole server on a database of this test file's own. Tests of a file share it and stay apart by
 * making organizations of their own. The rate limit is off unless `testApp` of the file sets it.
 */
export async function testApp(
  _t?: TestContext,
  environment: Environment = {},
  between: Between = {},
): Promise<TestApp> {
  shared ??= startApp(environment, between)
  return shared
}

/** The same with an organization that has an owner and nothing else. */
export async function testOrganization(t?: TestContext): Promise<TestApp & { org: Organization }> {
  const app = await testApp(t)
  return { ...app, org: await anOrganization(app.sql) }
}

/** Stops the server: the next test that asks for one starts another. @public Called by the files that `bundle-tests.ts` writes. */
export async function endServer(): Promise<void> {
  const running = await shared
  shared = undefined
  await running?.close()
}

after(endServer)
