import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import chromium from "@sparticuz/chromium"
import { type Browser, chromium as engine } from "playwright-core"

const appearance = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // Only maps are rendered by a software graphics driver: pages are quicker without it.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  "--disable-accelerated-2d-canvas",
  "--hide-scrollbars",
  "--force-color-profile=srgb",
  "--disable-dev-shm-usage",
]

/**
 * A real browser: the Chromium that ships in the npm package, or the one at CHROMIUM_PATH. WebGL is drawn by
 * software. A sandbox cannot be had by root, nor by others in most containers, in which the tests run too.
 */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await unpackBrowser())
  const launch = (...more: string[]) =>
    engine.launch({ executablePath, headless: true, args: [...more, ...args, ...appearance] })
  if (process.getuid?.() === 0) return launch("--no-sandbox")
  return launch().catch((error: unknown) => {
    if (!/sandbox/i.test(String(error))) throw error
    return launch("--no-sandbox")
  })
}

/**
 * The package unpacks itself into the temporary folder, for one user: another user of this machine gets a separate folder.
 * Two processes must not do so at once: the runner of the tests calls this before it starts them.
 */
export async function unpackBrowser(): Promise<string> {
  chromium.setGraphicsMode = true
  const common = join(tmpdir(), "chromium")
  const isTaken = await access(common).then(
    () =>
      access(common, constants.X_OK).then(
        () => false,
        () => true,
      ),
    () => false,
  )
  if (!isTaken) return chromium.executablePath()
  const { TMPDIR } = process.env
  process.env.TMPDIR = join(tmpdir(), `fieldway-browser-${process.getuid?.()}`)
  await mkdir(process.env.TMPDIR, { recursive: true, mode: 0o700 })
  const path = await chromium.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  return path
}
