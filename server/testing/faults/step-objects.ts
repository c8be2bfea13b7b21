import type { Objects } from "#core/objects/objects.ts"
import type { Counted, Faults } from "./faults.ts"

export const countedObjects: Counted = {
  kind: "objects",
  blows: (text) =>
    /^(open|list)/.test(text) ? ["before", "timeout"] : ["before", "after", "error", "away", "timeout"],
  isDecisive: () => false,
}

/** An object store any of whose calls can fail, before or after it took effect. */
export function stepObjects(objects: Objects, faults: Faults): Objects {
  let isAway = false
  faults.onEnd(() => {
    isAway = false
  })
  async function step<T>(text: string, work: () => Promise<T>): Promise<T> {
    const blow = isAway ? "before" : faults.step("objects", text)
    if (blow === "away") isAway = true
    if (blow === "timeout") throw tooLate()
    if (blow === "error") throw full()
    // Nobody could close what was opened for a caller that got an error.
    if (blow === "before" || blow === "away" || (blow === "after" && text.startsWith("open"))) throw lost()
    const result = await work()
    if (blow === "after") throw lost()
    return result
  }
  return {
    put: (key, content) => step(`put ${key}`, () => objects.put(key, content)),
    open: (key) => step(`open ${key}`, () => objects.open(key)),
    openRanges: (key) => step(`openRanges ${key}`, () => objects.openRanges(key)),
    remove: (key) => step(`remove ${key}`, () => objects.remove(key)),
    removeUnder: (prefix) => step(`removeUnder ${prefix}`, () => objects.removeUnder(prefix)),
    async *list(prefix) {
      await step(`list ${prefix}`, async () => undefined)
      yield* objects.list(prefix)
    },
  }
}

/** As the client of an S3 store reports silence. */
function tooLate(): Error {
  return Object.assign(new Error("the store did not respond in time"), { code: "ETIMEDOUT" })
}

/** As the file system reports a full disk. */
function full(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
}

function lost(): Error {
  return Object.assign(new Error("the store is away"), { code: "ECONNREFUSED" })
}
