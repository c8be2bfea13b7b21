import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { createSignedLinks } from "#core/objects/signed-links.ts"
import { installationSecret } from "#core/security/secrets.ts"
import { freshToken, type ThrowAway } from "./throw-away.ts"
import type { Verdict } from "./try-calls.ts"

/** Listens as the intruder while things happen in both organizations: only its own may arrive. */
export async function tryEvents(
  sql: Pool,
  address: string,
  intruder: ThrowAway,
  victim: ThrowAway,
): Promise<Verdict> {
  const call = "GET /events"
  const tried = "event stream during changes by the other"
  const stopping = AbortSignal.timeout(10_000)
  const reply = await fetch(`${address}/api/v3/events`, {
    headers: { authorization: `Bearer ${await freshToken(sql, intruder)}` },
    signal: stopping,
  })
  const decoder = new TextDecoder()
  const addHub = async (org: ThrowAway, name: string) => {
    await fetch(`${address}/api/v3/hub`, {
      method: "POST",
      headers: { authorization: `Bearer ${await freshToken(sql, org)}`, "content-type": "application/json" },
      body: JSON.stringify({ name, address: "Nowhere 1", lat: 0, lng: 0 }),
    })
  }
  let text = ""
  let isAsked = false
  try {
    for await (const chunk of reply.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (!isAsked) {
        isAsked = true
        await addHub(victim, "Theirs")
        await addHub(intruder, "Ours")
      }
      if (/hub\.\w+/.test(text)) break
    }
  } catch (error) {
    if (!stopping.aborted) throw error
  }
  const isForeign = text.includes(victim.id)
  const hubs = await sql<{ id: string }[]>`select id from hubs where organization_id = ${victim.id}`
  const isShown = isForeign || hubs.some(({ id }) => text.includes(id))
  const note = isShown ? "SHOWED an event of the other" : "own events only"
  return { call, tried, status: reply.status, isIsolated: !isShown, note }
}

/** Asks for a stored file of the other organization by its address. */
export async function tryFile(
  sql: Pool,
  address: string,
  config: Config,
  objects: Objects,
  intruder: ThrowAway,
  victim: ThrowAway,
): Promise<Verdict> {
  const key = `${victim.id}/2031/05/04/1_secret.jpg`
  await objects.put(key, Buffer.from("not for others"))
  const links = createSignedLinks(config.publicUrl, await installationSecret(sql, "signed-links"))
  const url = `${address}/api/v3/file/view?url=${encodeURIComponent(links.plain(key))}`
  const reply = await fetch(url, { headers: { authorization: `Bearer ${await freshToken(sql, intruder)}` } })
  const isShown = (await reply.text()).includes("not for others")
  return {
    call: "GET /file/view",
    tried: "address of a foreign file",
    status: reply.status,
    isIsolated: !isShown,
    note: isShown ? "SHOWED the file" : "refused",
  }
}
