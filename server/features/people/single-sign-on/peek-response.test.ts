import assert from "node:assert/strict"
import { test } from "node:test"
import { peekResponse } from "./peek-response.ts"

const claimed = (xml: string) => peekResponse(Buffer.from(xml).toString("base64"))

test("a response is read before it is verified, up to a depth that no directory needs", () => {
  const email = "<NameID>Ana@fieldway.test</NameID>"
  const nested = (depth: number) => `${"<a>".repeat(depth)}${email}${"</a>".repeat(depth)}`
  assert.deepEqual(claimed(`<Response InResponseTo="_1">${nested(90)}</Response>`), {
    inResponseTo: "_1",
    emails: ["ana@fieldway.test"],
  })
  // Depth, not number.
  assert.equal(claimed(`<r>${"<a><b/></a>".repeat(1_000)}${email}</r>`).emails.length, 1)
  assert.throws(() => claimed(nested(20_000)), /nested too deeply/)
})
