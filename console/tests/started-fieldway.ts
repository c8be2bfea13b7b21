import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Environment } from "../../server/core/config.ts"
import { startWholeServer, type WholeServer } from "../../server/testing/whole-server.ts"

/** The whole product with the built console. */
export interface StartedFieldway extends WholeServer {
  /** Calls the API with the token; throws for an error response. */
  call(token: string, method: string, path: string, body?: unknown): Promise<unknown>
  tokenOf(email: string, password: string): Promise<string>
  /** Posts a form with files. */
  send(token: string, path: string, form: FormData): Promise<unknown>
}

export async function startForBrowser(environment: Environment = {}): Promise<StartedFieldway> {
  await ensureBuilt()
  const server = await startWholeServer(environment)
  const { address } = server
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    ...server,
    call,
    async send(token, path, form) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${address}/api/v3${path}`, { method: "POST", headers, body: form })
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    },
    async tokenOf(email, password) {
      const response = await fetch(`${address}/api/v3/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      })
      if (!response.ok) throw new Error(`login of ${email}: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { token: string }).token
    },
  }
}

/** `npm ci` builds the console; a checkout without it gets it here. */
async function ensureBuilt(): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url))
  if (existsSync(join(root, "console/dist/index.html"))) return
  await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: root })
}
