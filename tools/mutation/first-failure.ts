import type { EventData } from "node:test"

/** A reporter that ends the run at its first failure: one test that notices a mutant is enough. */
export default async function* firstFailure(
  source: AsyncIterable<{ type: string; data: EventData.TestFail }>,
) {
  for await (const { type } of source) if (type === "test:fail") process.exit(1)
  yield ""
}
