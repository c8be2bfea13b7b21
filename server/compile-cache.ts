import { join } from "node:path"

/** Where stripped and compiled sources are kept, which halves the time of every later start. */
export const compileCacheFolder = join(import.meta.dirname, "../node_modules/.cache/fieldway")
