/** The demo talks to the product the way any integration does: over HTTP, with tokens. */
export interface DemoApi {
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** The same with another person's session. */
  signIn(email: string, password: string): Promise<DemoApi>
}

export function demoApi(address: string, token?: string): DemoApi {
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await fetch(`${address}/api/v3${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = (await reply.json()) as Body & { message?: string }
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${response.message ?? ""}`)
    return response
  }
  return {
    call,
    async signIn(email, password) {
      const session = await call<{ token: string }>("POST", "/login", { email, password })
      return demoApi(address, session.token)
    },
  }
}
