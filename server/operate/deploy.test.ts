import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { chmod, chown, cp, glob, mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { test } from "node:test"
import { parse, parseAllDocuments } from "yaml"
import { createTestDatabase } from "#testing/test-database.ts"
import { brokenLinks } from "../../tools/docs/links.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFile(join(root, path), "utf8")

test("the documents' links lead somewhere", async () => {
  assert.deepEqual(await brokenLinks(root), [])
})

test("the Compose file sets only variables that exist, and the chart uses only values that it has", async () => {
  const known = new Set([...(await read(".env.example")).matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]))
  const compose = parse(await read("deploy/compose.yaml"), { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; read_only?: boolean; depends_on?: object }
    >
  }
  for (const role of ["api", "worker"]) {
    const service = compose.services[role]
    assert.equal(service?.read_only, true)
    const unknown = Object.keys(service?.environment ?? {}).filter(
      (name) => !known.has(name) && !name.startsWith("AWS_"),
    )
    assert.deepEqual(unknown, [])
  }
  const given = new Set(
    [...(await read("deploy/compose.env.example")).matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]),
  )
  for (const [, name = ""] of (await read("deploy/compose.yaml")).matchAll(/\$\{([A-Z_]+)\}/g))
    assert.ok(given.has(name), name)

  const values: unknown = parse(await read("deploy/helm/fieldway/values.yaml"))
  for await (const path of glob("deploy/helm/fieldway/templates/*", { cwd: root })) {
    const template = await read(path)
    assert.equal(template.match(/\{\{/g)?.length, template.match(/\}\}/g)?.length, path)
    const opened = template.match(/\{\{-? (if|range|define|with)\b/g)?.length ?? 0
    assert.equal(template.match(/\{\{-? end\b/g)?.length ?? 0, opened, path)
    for (const [, name = ""] of template.matchAll(/\.Values\.([\w.]+)/g)) {
      const value = name
        .split(".")
        .reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], values)
      assert.notEqual(value, undefined, `${path}: .Values.${name}`)
    }
    // With every expression replaced by a word, what is left must be YAML.
    const plain = template
      .replace(/^\s*\{\{-? (if|end|range|define|else)\b.*\}\}\s*$/gm, "")
      .replace(/\{\{-?.*?-?\}\}/g, "word")
    for (const document of parseAllDocuments(plain)) assert.deepEqual(document.errors.map(String), [], path)
  }
})

/** What the image's last stage holds, by the Dockerfile's own lines. */
async function copiedByImage(): Promise<string[]> {
  const last = (await read("deploy/Dockerfile")).split(/^FROM /m).at(-1) ?? ""
  return [...last.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path = ""]) => path)
}

test("the layout of the image runs as an unprivileged user on read-only files, and its health check agrees", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-image-"))
  await chmod(folder, 0o711)
  const [app, data] = [join(folder, "app"), join(folder, "data")]
  await mkdir(data)
  const paths = await copiedByImage()
  assert.ok(paths.includes("server") && paths.includes("node_modules"))
  for (const path of paths) {
    const source = join(root, path)
    if (!(await stat(source).catch(() => undefined))) continue
    await mkdir(dirname(join(app, path)), { recursive: true })
    if (path === "node_modules") await symlink(source, join(app, path))
    else await cp(source, join(app, path), { recursive: true })
  }
  for await (const path of glob("**/*", { cwd: app, exclude: ["node_modules"] }))
    if (path !== "node_modules")
      await chmod(join(app, path), (await stat(join(app, path))).isDirectory() ? 0o555 : 0o444)
  // An ordinary user removes nothing from folders that they may not write.
  t.after(async () => {
    for await (const path of glob("**", { cwd: app, exclude: ["node_modules"] }))
      if (path !== "node_modules" && (await stat(join(app, path))).isDirectory())
        await chmod(join(app, path), 0o755)
    await rm(folder, { recursive: true, force: true })
  })
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const isRoot = process.getuid?.() === 0
  // The test's database listens on a socket that only its owner may enter: that user stands for the image's.
  const socket = new URL(database.url).searchParams.get("host")
  const owner = socket ? await stat(socket) : undefined
  const account = isRoot && owner ? { uid: owner.uid, gid: owner.gid } : {}
  if (isRoot && owner) await chown(data, owner.uid, owner.gid)
  // Below the ports that systems give to connections.
  const port = String(20_000 + (process.pid % 12_000))
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    DATA_DIR: data,
    PORT: port,
    OWNER_EMAIL: "owner@fieldway.test",
    OWNER_PASSWORD: "correct-Horse-7",
  }
  const run = (file: string) =>
    spawn(process.execPath, [file], {
      cwd: app,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      ...account,
    })
  const child = run("server/main.ts")
  let output = ""
  const ended = new Promise<number | null>((end) => child.on("exit", end))
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk
        if (output.includes("Fieldway is ready")) done()
      })
  })
  t.after(() => child.kill("SIGKILL"))
  await Promise.race([ready, ended])
  const health = await new Promise<number | null>((end) => run("server/ready.ts").on("exit", end))
  assert.equal(health, 0, output)
  child.kill("SIGTERM")
  assert.equal(await ended, 0, output)
  const without = await new Promise<number | null>((end) => run("server/ready.ts").on("exit", end))
  assert.equal(without, 1)
})
