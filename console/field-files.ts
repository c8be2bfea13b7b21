import type { Plugin, Rolldown } from "vite"
import { reach } from "./chunks.ts"

type Bundle = Rolldown.OutputBundle
/** The pages themselves, and the reader of codes. */
const fieldFolders = ["/src/features/field/", "/src/scan/"]
/** Outlines of the world that a closer look loads (`outlines.ts`): 8.9 MB, and the coarse ones are kept. */
const isLeftOut = (file: string) => file.startsWith("assets/fine-")
const languageBundle = /\/i18n\/translations\/(\w+)\/bundle\.ts$/

/**
 * Writes `field-files.json`: the addresses of every built file that the field worker's page can need, which its
 * service worker keeps for the time without a network, and the texts of each language, of which it keeps one.
 */
export function fieldFiles(): Plugin {
  return {
    name: "field-files",
    apply: "build",
    generateBundle: {
      // After Vite has removed the chunks that contain nothing but styles.
      order: "post",
      handler(_options, bundle) {
        const files = new Set<string>()
        const languages: Record<string, string[]> = {}
        const chunks = Object.values(bundle).filter((part) => part.type === "chunk")
        const isOfField = (id: string) => fieldFolders.some((folder) => id.includes(folder))
        const own = chunks.flatMap(({ moduleIds }) => moduleIds.filter(isOfField))
        // What they load when it is used, such as notifications: without a network it could not be loaded.
        const used = reach(own, (id) => {
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
          return languageBundle.test(id) ? [] : [...importedIds, ...dynamicallyImportedIds]
        })
        for (const chunk of chunks) {
          const [, language] = languageBundle.exec(chunk.facadeModuleId ?? "") ?? []
          if (language) languages[language] = [`/${chunk.fileName}`]
          else if (
            (chunk.isEntry && chunk.name === "index") ||
            chunk.moduleIds.some(isOfField) ||
            (chunk.isDynamicEntry && used.has(chunk.facadeModuleId ?? ""))
          )
            addWithImports(bundle, chunk.fileName, files)
        }
        this.emitFile({
          type: "asset",
          fileName: "field-files.json",
          source: JSON.stringify({
            pages: ["/favicon.svg", ...[...files].sort().map((file) => `/${file}`)],
            languages,
          }),
        })
      },
    },
  }
}

function addWithImports(bundle: Bundle, fileName: string, files: Set<string>): void {
  const chunk = bundle[fileName]
  if (files.has(fileName) || chunk?.type !== "chunk") return
  files.add(fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
  for (const asset of chunk.viteMetadata?.importedAssets ?? []) if (!isLeftOut(asset)) files.add(asset)
  for (const imported of chunk.imports) addWithImports(bundle, imported, files)
}
