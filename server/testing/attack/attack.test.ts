import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization, type Organization } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { type TestApp, testApp, tokenOf } from "../test-app.ts"
import { type AttackRequest, attackOn, operationsOf, targetsOf } from "./attack-requests.ts"
import { seededRandom } from "./attack-values.ts"

/**
 * Every route, every parameter, hostile values: chosen by a seed, which ATTACK_SEED repeats. ATTACK_CALLS sets how
 * many.
 */
const isLong = process.env.FIELDWAY_LONG === "1"
const seed = Number(process.env.ATTACK_SEED ?? (isLong ? Date.now() % 2 ** 31 : 17))
const calls = Number(process.env.ATTACK_CALLS ?? (isLong ? 50_000 : 300))

const callsPerVictim = 100

const bounds = {
  /** Processor time of one call. */
  cpuMilliseconds: 1000,
  /** What the process holds after all of them. */
  residentBytes: 1.5 * 1024 ** 3,
  /** A small read of another organization that arrives with an attack. */
  probeMilliseconds: 3000,
  medianProbeMilliseconds: 300,
}

test(`no hostile request breaks or occupies the server (ATTACK_SEED=${seed})`, async (t) => {
  const server = await testApp(t)
  const bystander = server.as((await anOrganization(server.sql)).owner)
  const random = seededRandom(seed)
  const targets = targetsOf(operationsOf(server.app.swagger()))
  assert.ok(targets.length > 1000, `${targets.length} targets`)
  let attacked = await aVictim(server)
  const faults: string[] = []
  const probes: number[] = []
  const statuses = new Map<number, number>()
  for (let count = 0; count < calls; count++) {
    // What the calls before have deleted comes back.
    if (count % callsPerVictim === callsPerVictim - 1) attacked = await aVictim(server)
    const target = targets[random(targets.length)]
    if (!target) continue
    const request = attackOn(target, attacked.values, random)
    const probe = count % 5 === 0 ? measured(() => bystander.get("/teams")) : undefined
    const { statusCode, cpu } = await send(server, request, attacked.token)
    if (probe) probes.push(await probe)
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    const description = () => `${request.what} <- ${describe(request)}`
    if (statusCode >= 500) faults.push(`${statusCode} ${description()}`)
    if (cpu > bounds.cpuMilliseconds) faults.push(`${Math.round(cpu)} ms ${description()}`)
    // Signed out, or deleted the organization.
    if (statusCode === 401 && !request.operation.isPublic) attacked = await aVictim(server)
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)))
  assert.deepEqual([...new Set(faults)], [])
  assert.ok(process.memoryUsage.rss() < bounds.residentBytes, `${process.memoryUsage.rss()} bytes`)
  probes.sort((one, other) => one - other)
  assert.ok((probes.at(-1) ?? 0) < bounds.probeMilliseconds, `slowest probe: ${probes.at(-1)} ms`)
  const median = probes[Math.floor(probes.length / 2)] ?? 0
  assert.ok(median < bounds.medianProbeMilliseconds, `median probe: ${median} ms`)
})

interface Victim {
  org: Organization
  token: string
  values: Record<string, string>
}

async function aVictim({ sql }: TestApp): Promise<Victim> {
  const org = await anOrganization(sql)
  const values: Record<string, string> = {}
  for (const [name, make] of Object.entries(pathValues))
    if (!name.includes("#")) values[name] = await make(sql, org)
  return { org, token: await tokenOf(sql, org.owner), values }
}

async function send({ app }: TestApp, request: AttackRequest, token: string) {
  const before = process.cpuUsage()
  const reply = await app.inject({
    method: request.operation.method as "POST",
    url: request.url,
    headers: { authorization: `Bearer ${token}`, ...request.headers },
    ...(request.payload === undefined ? {} : { payload: Buffer.from(request.payload) }),
    // Resolves with the headers, so that an event stream does not hold us up.
    payloadAsStream: true,
  })
  const body = reply.stream()
  if (String(reply.headers["content-type"]).startsWith("text/event-stream")) body.destroy()
  else for await (const _chunk of body);
  const { user, system } = process.cpuUsage(before)
  return { statusCode: reply.statusCode, cpu: (user + system) / 1000 }
}

async function measured(work: () => Promise<{ statusCode: number }>): Promise<number> {
  const before = performance.now()
  const { statusCode } = await work()
  assert.equal(statusCode, 200)
  return performance.now() - before
}

function describe({ url, payload, headers }: AttackRequest): string {
  const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text)
  return `${short(url)} ${short(JSON.stringify(headers))} ${short(payload ?? "")}`
}
