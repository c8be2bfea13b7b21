import { readFile } from "node:fs/promises"
import type { Plugin } from "vite"
import { directionOf, languages } from "../shared/languages.ts"

interface Manifest {
  shortcuts: { name: string; url: string }[]
  [key: string]: unknown
}

/** The texts that the shortcuts have in the app itself. */
const textOf: Readonly<Record<string, readonly [part: string, key: string]>> = {
  "/field/inbox": ["inbox", "title"],
  "/field/map": ["today", "map"],
  "/field/load": ["today", "load"],
}

/** Writes `field-de.webmanifest` and so on beside the English manifest: an installed app has its shortcuts in one language. */
export function translatedManifests(): Plugin {
  return {
    name: "translated-manifests",
    apply: "build",
    async generateBundle() {
      const english = JSON.parse(await readText("public/field.webmanifest")) as Manifest
      for (const language of languages.filter((one) => one !== "en")) {
        const texts = JSON.parse(await readText(`src/i18n/translations/${language}/field.json`))
        const shortcuts = english.shortcuts.map((shortcut) => {
          const [part = "", key = ""] = textOf[shortcut.url] ?? []
          const name: unknown = texts[part]?.[key]
          if (typeof name !== "string") throw new Error(`${language} lacks the name of ${shortcut.url}`)
          return { ...shortcut, name }
        })
        const manifest = { ...english, lang: language, dir: directionOf(language), shortcuts }
        const fileName = `field-${language}.webmanifest`
        this.emitFile({ type: "asset", fileName, source: JSON.stringify(manifest, null, 2) })
      }
    },
  }
}

function readText(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), "utf8")
}
