/**
 * Why nobody was let in. The person is sent back to the sign-in page with it; what exactly was wrong with an
 * answer goes into the log alone.
 */
export const refusalReasons = {
  failed: "The response of the provider could not be verified",
  expired: "The sign-in has expired or was already used",
  unknown: "Nobody of the organization has this e-mail address",
  waiting: "The membership waits for its invitation or its e-mail address to be confirmed",
  unreachable: "The provider could not be reached, or is configured incorrectly",
} as const
export type RefusalReason = keyof typeof refusalReasons

export class SignInRefused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, detail: string = refusalReasons[reason], cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
