import { defineErrors } from "#core/errors.ts"

export const deviceErrors = defineErrors("lochi", {
  badKey: { http: 401, code: "034", message: "This device key is unknown or was revoked. Create a new key" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  forbidden: {
    http: 403,
    code: "035",
    message:
      "You can only manage your own device keys. Managing other people's keys requires the permission edit/member",
  },
  forbiddenToToken: {
    http: 403,
    code: "035",
    message:
      "A personal token can create device keys only with the permission edit/member. Sign in to create your own",
  },
  badPerson: { http: 400, code: "004", message: "userId is not an active member of your organization" },
  notReadable: { http: 400, code: "013", message: "The request is not in the format of this device" },
})
