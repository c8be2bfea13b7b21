import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { fieldChunks } from "./chunks.ts"
import { fieldFiles } from "./field-files.ts"
import { translatedManifests } from "./manifests.ts"
import { outlineFiles } from "./outlines.ts"

const dist = fileURLToPath(new URL("dist", import.meta.url))
const smallestBytes = 1_024

/** Writes a compressed copy next to each text file: the server sends these and compresses nothing at run time. */
function compressedFiles(): Plugin {
  return {
    name: "compressed-files",
    apply: "build",
    async closeBundle(failure) {
      if (failure) return
      const names = (await readdir(dist, { recursive: true })).filter((name) =>
        /\.(js|mjs|css|html|svg|json|webmanifest)$/.test(name),
      )
      await Promise.all(names.map((name) => compress(join(dist, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  if ((await stat(path)).size < smallestBytes) return
  const content = await readFile(path)
  const quality = content.length > 1_000_000 ? 9 : 11
  const brotli = await promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality },
  })
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

/** The server's pages for customers load it by this name. */
const trackingPage = "tracking-page"

const popups =
  /node_modules\/(@floating-ui|@mantine\/(core|hooks).*\/(Menu|Popover|Portal|FocusTrap|Transition|Floating|use-focus|use-click-outside|use-floating|use-id))/
/**
 * What most pages load goes into two files instead of about 30: together they compress better, which saves 7 kB of
 * the task list (gzip). Lower counts add more to the first load than they save.
 */
const sharedChunks = [
  { name: "common", minShareCount: 68, priority: 6 },
  { name: "popups", test: popups, minShareCount: 12, priority: 5 },
  ...fieldChunks(),
]

/** `npm run build` writes console/dist, which the server serves; `vite console` runs beside a server on 8080. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), outlineFiles(), fieldFiles(), translatedManifests(), compressedFiles()],
  resolve: { alias: { "#shared": fileURLToPath(new URL("../shared", import.meta.url)) } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Which file belongs to which module: the check of what a page weighs reads it.
    manifest: true,
    target: "es2023",
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL("index.html", import.meta.url)),
        [trackingPage]: fileURLToPath(new URL("src/features/customers/tracking-page.ts", import.meta.url)),
      },
      preserveEntrySignatures: "exports-only",
      output: {
        entryFileNames: ({ name }) => (name === trackingPage ? `${name}.js` : "assets/[name]-[hash].js"),
        codeSplitting: { groups: sharedChunks },
      },
    },
    assetsInlineLimit: 0,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/files": "http://127.0.0.1:8080" } },
})
