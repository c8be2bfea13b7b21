import { defineErrors } from "#core/errors.ts"

export const noticeErrors = defineErrors("notic", {
  badEndpoint: [
    400,
    "003",
    "This is not a push subscription. Send endpoint, keys.p256dh and keys.auth as the browser returned them",
  ],
})
