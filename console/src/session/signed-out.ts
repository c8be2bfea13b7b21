import { ApiError, api, responseOf } from "../api/client.ts"

/** Set while somebody has signed out on this device and the server does not know it yet. */
const signedOutKey = "fieldway.signed-out"

/** Nobody waits longer for a server that does not answer: the sign-out stays owed. */
const patienceMilliseconds = 8_000

export function hasSignedOut(): boolean {
  return localStorage.getItem(signedOutKey) !== null
}

/** Ends the session now, or as soon as the server is reached: until then nobody enters with it on this device. */
export async function signOut(): Promise<void> {
  localStorage.setItem(signedOutKey, "1")
  await settleSignOut()
}

/** Sends the server a sign-out that it does not know. Stays owed while the server cannot be reached. */
export async function settleSignOut(): Promise<void> {
  if (!hasSignedOut()) return
  try {
    await responseOf(api.POST("/api/v3/logout", { signal: AbortSignal.timeout(patienceMilliseconds) }))
    clearSignOut()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) clearSignOut()
  }
}

/** A new session has taken the place of the old one. */
export function clearSignOut(): void {
  localStorage.removeItem(signedOutKey)
}
