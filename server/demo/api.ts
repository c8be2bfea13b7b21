import { setTimeout as pause } from "node:timers/promises"

/** The demo talks to the product the way any integration does: over HTTP, with tokens. */
export interface DemoApi {
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** Posts a form with files. */
  send(path: string, form: FormData): Promise<unknown>
  /** Sends the form of a public page. */
  submit(path: string, fields: Record<string, string>): Promise<void>
  /** The same with another person's session. */
  signIn(email: string, password: string): Promise<DemoApi>
}

export function demoApi(address: string, token?: string): DemoApi {
  const authorization = token ? { authorization: `Bearer ${token}` } : undefined
  const request = async <Body>(path: string, init: RequestInit): Promise<Body> => {
    const reply = await fetch(`${address}/api/v3${path}`, init)
    const retryAfter = reply.headers.get("retry-after")
    if ((reply.status === 429 || reply.status === 503) && retryAfter !== null) {
      // A slow machine is busy for a while, and RATE_LIMIT may be low; couriers wait, as phones do.
      await pause(Number(retryAfter) * 1000)
      return request(path, init)
    }
    const response = (await reply.json()) as Body & { message?: string }
    if (!reply.ok) throw new Error(`${init.method} ${path}: ${reply.status} ${response.message ?? ""}`)
    return response
  }
  const call = <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    request(path, {
      method,
      headers: { "content-type": "application/json", ...authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    call,
    send: (path, form) => request(path, { method: "POST", headers: { ...authorization }, body: form }),
    async submit(path, fields) {
      const body = new URLSearchParams(fields)
      const { status } = await fetch(`${address}${path}`, { method: "POST", body, redirect: "manual" })
      if (status !== 303) throw new Error(`POST ${path}: ${status}`)
    },
    async signIn(email, password) {
      const session = await call<{ token: string }>("POST", "/login", { email, password })
      return demoApi(address, session.token)
    },
  }
}
