import type { Plugin, Rolldown } from "vite"

type Bundle = Rolldown.OutputBundle
/** The page itself, and what it loads when it is used: the reader of codes. */
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
        for (const part of Object.values(bundle)) {
          const language = part.type === "chunk" && languageBundle.exec(part.facadeModuleId ?? "")?.[1]
          if (language) languages[language] = [`/${part.fileName}`]
          if (
            part.type === "chunk" &&
            ((part.isEntry && part.name === "index") ||
              part.moduleIds.some((id) => fieldFolders.some((folder) => id.includes(folder))))
          )
            addWithImports(bundle, part.fileName, files)
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
