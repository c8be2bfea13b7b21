import { type CustomerContact, internationalNumber } from "../tracking-pages/index.ts"

export { addOptOut, hasOptedOut, removeOptOut } from "./opt-outs.ts"

/** The addresses of a customer on every kind of channel, as messages and opt-outs have them. */
export function addressesOf({ phone, email }: CustomerContact, phoneCode: string | undefined): string[] {
  const number = phone === null ? undefined : internationalNumber(phone, phoneCode)
  return [number, email ?? undefined].filter((address) => address !== undefined)
}
