import { defineErrors } from "#core/errors.ts"

export const deviceErrors = defineErrors("lochi", {
  badKey: { http: 401, code: "034", message: "This device key is not known, or was revoked: make a new one" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: {
    http: 403,
    code: "035",
    message: "You may only handle your own device keys: others' take the permission edit/member",
  },
  forbiddenToToken: {
    http: 403,
    code: "035",
    message:
      "A personal token makes device keys only with the permission edit/member: sign in to make your own",
  },
  badPerson: { http: 400, code: "004", message: "userId is nobody who is active in your organization" },
  notReadable: { http: 400, code: "013", message: "The request is not in the format of this device" },
})
