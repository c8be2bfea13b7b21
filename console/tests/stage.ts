import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { after, afterEach } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { anOrganization } from "../../server/samples/builders.ts"
import { startWholeServer, type WholeServer } from "../../server/testing/whole-server.ts"
import { openBrowser } from "./browser.ts"

export interface Person {
  email: string
  password: string
}

/** The whole product with the built console, and a browser. */
export interface Stage extends WholeServer {
  browser: Browser
  /** The film that cameras show (YUV4MPEG2); who opens a camera writes it before. */
  film: string
  /** Calls the API with the token; throws for an error response. */
  call(token: string, method: string, path: string, body?: unknown): Promise<unknown>
  tokenOf(email: string, password: string): Promise<string>
  /** Posts a form with files. */
  send(token: string, path: string, form: FormData): Promise<unknown>
}

let shared: Promise<Stage> | undefined

/**
 * For the tests of one file: an organization that has an owner and nothing else. Files that run in one process share the server and
 * the browser, which take longer to start than most tests.
 */
export async function openStage(): Promise<Stage> {
  if (!shared) {
    shared = startStage()
    after(async () => (await shared)?.close())
    afterEach(async (context) => {
      if ("passed" in context && context.passed) return
      // What the browser showed is more informative than what was waited for.
      const pages = (await shared)?.browser.contexts().flatMap((opened) => opened.pages()) ?? []
      for (const page of pages) context.diagnostic?.(`${page.url()} shows\n${await shownOn(page)}`)
    })
    return shared
  }
  const stage = await shared
  const { password } = stage.owner
  const { owner } = await anOrganization(stage.sql, { name: "Northside Couriers", password })
  return { ...stage, owner: { email: owner.email, password } }
}

/** For a script, which closes it. */
export async function startStage(): Promise<Stage> {
  await ensureBuilt()
  const server = await startWholeServer({ WEBHOOK_ALLOW: "127.0.0.1" })
  const film = join(server.environment.DATA_DIR, "camera.y4m")
  const withCamera = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
  const browser = await openBrowser([...withCamera, `--use-file-for-fake-video-capture=${film}`])
  const request = async (method: string, path: string, init: RequestInit) => {
    const response = await fetch(`${server.address}/api/v3${path}`, { method, ...init })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const json = { "content-type": "application/json" }
  return {
    ...server,
    browser,
    film,
    call: (token, method, path, body) =>
      request(method, path, {
        headers: { authorization: `Bearer ${token}`, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    send: (token, path, body) =>
      request("POST", path, { headers: { authorization: `Bearer ${token}` }, body }),
    async tokenOf(email, password) {
      const body = JSON.stringify({ email, password })
      return ((await request("POST", "/login", { headers: json, body })) as { token: string }).token
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** `npm ci` builds the console; a checkout without it gets it here. */
async function ensureBuilt(): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url))
  if (existsSync(join(root, "console/dist/index.html"))) return
  await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: root })
}

export const desktopSize = { width: 1280, height: 800 }
export const phoneSize = { width: 390, height: 844 }

export interface OpenPage {
  context: BrowserContext
  page: Page
  /** What scripts complained about. */
  troubles: string[]
}

/** A page with cookies and storage of its own. */
export async function aPage({ browser }: Stage, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: desktopSize,
    // Every frame of a flying map is drawn by software here; with reduced motion the map jumps instead.
    reducedMotion: "reduce",
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const troubles: string[] = []
  page.on("pageerror", (error) => troubles.push(String(error)))
  return { context, page, troubles }
}

/** Signs in by the form that the page shows. */
export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** The session of somebody, without the form. */
export async function enterAs(context: BrowserContext, { address }: Stage, data: Person): Promise<void> {
  const headers = { "x-fieldway-console": "1", origin: address }
  const response = await context.request.post(`${address}/api/v3/login`, { data, headers })
  if (!response.ok()) throw new Error(`the session of ${data.email}: ${response.status()}`)
}

function shownOn(page: Page): Promise<string> {
  return page.locator("body").innerText({ timeout: 5_000 }).catch(String)
}
