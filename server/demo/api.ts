/** The demo talks to the product the way any integration does: over HTTP, with tokens. */
export interface DemoApi {
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same with another person's session. */
  signIn(email: string, password: string): Promise<DemoApi>
}

export function demoApi(address: string, token?: string): DemoApi {
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const reply = await fetch(`${address}/api/v3${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await reply.json()) as Answer & { message?: string }
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer.message ?? ""}`)
    return answer
  }
  return {
    call,
    async signIn(email, password) {
      const session = await call<{ token: string }>("POST", "/login", { email, password })
      return demoApi(address, session.token)
    },
  }
}
