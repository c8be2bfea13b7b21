import { enableCompileCache } from "node:module"
import { compileCacheFolder } from "./compile-cache.ts"

// As in main.ts, whose cache a thread does not share by itself.
enableCompileCache(compileCacheFolder)
await import("./background-thread.ts")
