/** Stands where a secret is that the reader may not see; a write that carries it keeps what is stored. */
export const mask = "********"

/** Details of an automation without the values that are secret. */
export function masked(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = { ...details }
  if (typeof shown.headers === "object" && shown.headers !== null)
    shown.headers = Object.fromEntries(Object.keys(shown.headers).map((name) => [name, mask]))
  for (const key of ["secretKey", "signingSecret", "previousSigningSecret"])
    if (key in shown) shown[key] = mask
  return shown
}
