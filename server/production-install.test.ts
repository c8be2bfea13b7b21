import assert from "node:assert/strict"
import { glob, readFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")

interface LockedPackage {
  dev?: boolean
  devOptional?: boolean
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(root, path), "utf8")) as T
}

test("what a production host runs imports nothing that npm ci --omit=dev leaves out", async () => {
  const { dependencies } = await readJson<{ dependencies: Record<string, string> }>("package.json")
  const patterns = [
    "server/**/*.ts",
    "{shared,packages}/**/*.ts",
    "console/*.ts",
    "console/src/**/*.{ts,tsx}",
  ]
  const exclude = ["**/*.test.ts", "**/testing/**", "**/random-problems.ts", "packages/*/build.ts"]
  const missing: string[] = []
  let imports = 0
  for await (const path of glob(patterns, { cwd: root, exclude })) {
    const text = await readFile(join(root, path), "utf8")
    for (const [, name = ""] of text.matchAll(
      /^(?:import |\} from |import (?!type ).* from )"([^".#][^"]*)"/gm,
    )) {
      imports += 1
      const isScoped = name.startsWith("@")
      const packageName = name.split("/", isScoped ? 2 : 1).join("/")
      if (/^(node|virtual):/.test(name) || builtinModules.includes(name)) continue
      if (!(packageName in dependencies)) missing.push(`${path}: ${packageName}`)
    }
  }
  assert.ok(imports > 100)
  assert.deepEqual(missing, [])
})

test("a production host gets no browser, linter or test server", async () => {
  const { packages } = await readJson<{ packages: Record<string, LockedPackage> }>("package-lock.json")
  const installed = Object.entries(packages)
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path]) => path.replace(/^.*node_modules\//, ""))
  const unwanted =
    /^(playwright|puppeteer|@sparticuz|@biomejs|oidc-provider|samlify|smtp-server|axe-core|fast-check|@redocly|@stoplight|knip)/
  assert.ok(installed.length > 100)
  assert.deepEqual(
    installed.filter((name) => unwanted.test(name)),
    [],
  )
})
