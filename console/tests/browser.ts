import chromium from "@sparticuz/chromium"
import { type Browser, chromium as engine } from "playwright-core"

/**
 * A real browser: the Chromium that ships in the npm package, or the one at CHROMIUM_PATH. WebGL is drawn by
 * software, and a sandbox cannot be had by root, in whose containers the tests run too.
 */
export async function openBrowser(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH
  chromium.setGraphicsMode = true
  return engine.launch({
    executablePath: given ?? (await chromium.executablePath()),
    headless: true,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      // Only maps are drawn by the software that stands in for a graphics card: pages are quicker without it.
      "--disable-gpu-compositing",
      "--disable-gpu-rasterization",
      "--disable-accelerated-2d-canvas",
      "--hide-scrollbars",
      "--force-color-profile=srgb",
      "--disable-dev-shm-usage",
    ],
  })
}
