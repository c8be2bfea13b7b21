import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { type TestApp, testOrganization, tokenOf } from "#testing/test-app.ts"

const isLong = process.env.FIELDWAY_LONG !== undefined

/** Scenarios that need what this server does not offer, by the reason. A scenario that passes may not be listed. */
const notOffered: Readonly<Record<string, string>> = {
  "resources (not declared): the API's rows are read by tools":
    "resources-list resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe",
  "prompts and completion (not declared)":
    "completion-complete prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image",
  "logging (not declared): the audit log says what was called": "logging-set-level tools-call-with-logging",
  "progress notifications (optional): a call ends within the API's time limits": "tools-call-with-progress",
  "images, sounds and embedded files as results: downloads return their type, size and address":
    "tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content",
  "requests to the client (sampling, elicitation): the server asks nothing of an assistant or its person":
    "tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums",
  "a test tool whose stream is cut and resumed: responses are complete, there are no streams to resume":
    "server-sse-polling",
  "a test tool with a schema of its own: tools come from the API description": "json-schema-2020-12",
}

/** What revision 2026-07-28 has no longer. */
const notOfferedBefore: Readonly<Record<string, string>> = {
  "sessions (optional): each request is complete in itself": "server-sse-multiple-streams",
}

/** What revision 2026-07-28 adds. Its extensions (tasks) and pending scenarios run, but the suite does not count them. */
const notOfferedNow: Readonly<Record<string, string>> = {
  "resources (not declared), so there is none to miss": "sep-2164-resource-not-found",
  "lists of prompts and resources; that of tools passes": "caching",
  "requests to the client within a result":
    "input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-missing-input-response input-required-result-non-tool-request input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check input-required-result-ignore-extra-params",
  "a test tool that needs sampling; the other 23 checks of the scenario pass": "server-stateless",
}

const reading = { name: "listHubs", arguments: {} }
/** The suite calls tools by names of its own: operations of the API get those that they can stand for. */
const namedBySuite: Readonly<Record<string, { name: string; arguments: object }>> = {
  test_simple_text: reading,
  test_logging_tool: reading,
  test_streaming_elicitation: reading,
  test_error_handling: { name: "getTask", arguments: { taskId: "0".repeat(24) } },
}

/** The suite has no token: this adds it, and leaves everything else of a request as it is. */
async function openTo(t: TestContext, { app }: TestApp, token: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
    const headers: IncomingHttpHeaders = { ...request.headers, authorization: `Bearer ${token}` }
    const named = namedBySuite[body?.params?.name]
    if (named) {
      Object.assign(body.params, named)
      if (headers["mcp-name"] !== undefined) headers["mcp-name"] = named.name
    }
    const payload = body === undefined ? undefined : JSON.stringify(body)
    delete headers["content-length"]
    const reply = await app.inject({
      method: request.method as "POST",
      url: "/mcp",
      headers,
      ...(payload !== undefined && { payload }),
    })
    response.writeHead(reply.statusCode, reply.headers).end(reply.rawPayload)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const suites = [
  { version: "0.1.16", scenarios: ["--suite", "all"], expected: [notOffered, notOfferedBefore] },
  {
    version: "0.2.0-alpha.12",
    scenarios: ["--requirements", "2026-07-28"],
    expected: [notOffered, notOfferedNow],
  },
]

for (const { version, scenarios, expected } of suites)
  test(`the protocol's conformance suite ${version} fails only where this server offers nothing`, {
    skip: !isLong && "needs the npm registry",
  }, async (t) => {
    const server = await testOrganization(t)
    const url = await openTo(t, server, await tokenOf(server.sql, server.org.owner))
    const folder = await mkdtemp(join(tmpdir(), "conformance-"))
    t.after(() => rm(folder, { recursive: true }))
    const baseline = join(folder, "expected.yaml")
    const lines = expected
      .flatMap((reasons) => Object.entries(reasons))
      .flatMap(([reason, names]) => names.split(" ").map((name) => `  - ${name} # ${reason}`))
    await writeFile(baseline, ["server:", ...lines].join("\n"))
    const args = ["server", "--url", url, ...scenarios, "--expected-failures", baseline]
    const suite = `@modelcontextprotocol/conformance@${version}`
    const output = await new Promise<string>((resolve, reject) => {
      const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
      const npm = ["exec", "--yes", "--ignore-scripts", `--package=${suite}`, "--", "conformance", ...args]
      execFile("npm", npm, options, (error, stdout, stderr) =>
        error ? reject(new Error((stdout + stderr).slice(-8_000))) : resolve(stdout + stderr),
      )
    })
    assert.match(output, /tools-call-error/)
  })
