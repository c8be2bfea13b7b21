import { AsyncLocalStorage } from "node:async_hooks"
import type { Pool } from "./database/database.ts"
import { AppError } from "./errors.ts"
import type { Objects } from "./objects/objects.ts"

const dryRuns = new AsyncLocalStorage<true>()

/** Runs work whose writes are rolled back: what no rollback takes back refuses to run in it. */
export function runDry<Result>(work: () => Result): Result {
  return dryRuns.run(true, work)
}

/** Call it before anything outside the request's transaction is written or sent. */
export function refuseInDryRun(): void {
  if (!dryRuns.getStore()) return
  const message =
    "This call cannot be tried out: it has effects that cannot be rolled back. Nothing was changed"
  throw new AppError(400, "sys-046", message)
}

/** The pool as features get it, for statements outside the request's transaction. */
export function guardPool(pool: Pool): Pool {
  const guarded: ReadonlySet<string | symbol> = new Set(["begin", "reserve", "unsafe"])
  return new Proxy(pool, {
    apply(target, self, given) {
      refuseInDryRun()
      return Reflect.apply(target as unknown as () => unknown, self, given)
    },
    get(target, name) {
      if (guarded.has(name)) refuseInDryRun()
      return Reflect.get(target, name) as unknown
    },
  })
}

export function guardObjects(objects: Objects): Objects {
  const guarded: ReadonlySet<string | symbol> = new Set(["put", "remove", "removeUnder"])
  return new Proxy(objects, {
    get(target, name) {
      if (guarded.has(name)) refuseInDryRun()
      const value = Reflect.get(target, name) as unknown
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
