import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { temporaryFolder } from "#testing/test-process.ts"
import { startWholeServer, type WholeServer } from "#testing/whole-server.ts"

const root = join(import.meta.dirname, "..")

/** What a block may need that a test machine lacks; each is tried by the test or the person named. */
const needs: Readonly<Record<string, string>> = {
  "a fresh clone": ".ci/run runs both commands",
  "a terminal of its own": "runs until it is stopped",
  "your password": "the test sets the variables",
  "a token and a hub": "features/work/tasks/upsert/upsert-tasks.test.ts",
  "an extract": "server/features/location/maps",
  "a client and a code": "features/platform/oauth/oauth.test.ts",
  "several minutes": "server/testing/faults",
  "half a minute": "server/operate/isolation-check.test.ts",
  "the npm registry": "npm pack runs before a release",
  "a company directory": "features/people/single-sign-on/saml.test.ts",
  systemd: "server/operate/deploy.test.ts reads the unit; commands by hand",
  "a container engine": "server/operate/deploy.test.ts reads the files",
  Kubernetes: "server/operate/deploy.test.ts reads the chart",
  "an installation of n8n": "examples/n8n-nodes.test.ts builds the nodes and runs them against the server",
  "a PostgreSQL that archives": "server/operate/archive/wal.test.ts; recovery by hand",
  "another machine": "server/operate/backup.test.ts",
  "a release archive": "npm run release; unpacked, installed and started by hand before a release",
}

interface Block {
  document: string
  text: string
  need: string | undefined
}

async function readBlocks(): Promise<Block[]> {
  const patterns = ["README.md", "docs/*.md", "packages/api-client/README.md"]
  // The guide for operators deletes the organization that the others work in.
  const isLast = (document: string) => Number(document === "docs/operations.md")
  const documents = (await Array.fromAsync(glob(patterns, { cwd: root }))).toSorted(
    (one, other) => isLast(one) - isLast(other) || (one < other ? -1 : 1),
  )
  const found = await Promise.all(
    documents.map(async (document) => {
      const text = await readFile(join(root, document), "utf8")
      return [...text.matchAll(/^```sh(?: needs: ([^\n]+))?\n(.*?)^```$/gms)].map((match) => ({
        document,
        need: match[1],
        text: match[2] ?? "",
      }))
    }),
  )
  return found.flat()
}

let server: WholeServer
before(async () => {
  // moving.md lets the server read its own lists.
  server = await startWholeServer({ WEBHOOK_ALLOW: "127.0.0.1" })
})
after(() => server.close())

test("every shell block of the documents runs as it is printed, or says what it needs", async (t) => {
  const blocks = await readBlocks()
  const folder = await temporaryFolder(t)
  const token = await signIn()
  const runnable = blocks.filter(({ need }) => need === undefined)
  for (const { need, document } of blocks)
    assert.ok(need === undefined || need in needs, `${document}: a block needs ${need}, which is not known`)
  assert.ok(runnable.length >= 3, "the blocks are found")
  for (const { document, text } of runnable) {
    const printed = text
      .replaceAll(/https?:\/\/(127\.0\.0\.1:8080|fieldway\.example)/g, server.address)
      .replaceAll(/(?<= )\/(backups|tmp)\//g, `${folder}/`)
      .replaceAll("finished.xlsx", join(folder, "finished.xlsx"))
    const { code, output } = await run(printed, token)
    assert.equal(code, 0, `${document}\n${text}\n${output}`)
    assert.doesNotMatch(output, /undefined|"status":false/, `${document}\n${text}\n${output}`)
  }
})

/** The token that blocks expect in TOKEN, as the guides say. */
async function signIn(): Promise<string> {
  const response = await fetch(`${server.address}/api/v3/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(server.owner),
  })
  return ((await response.json()) as { token: string }).token
}

function run(script: string, token: string): Promise<{ code: number | null; output: string }> {
  const { DATABASE_URL, DATA_DIR } = server.environment
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
      DATABASE_URL,
      DATA_DIR,
      TOKEN: token,
      OWNER_EMAIL: server.owner.email,
      OWNER_PASSWORD: server.owner.password,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })))
}
