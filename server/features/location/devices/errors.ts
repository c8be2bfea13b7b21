import { defineErrors } from "#core/errors.ts"

export const deviceErrors = defineErrors("lochi", {
  badKey: [401, "034", "This device key is unknown or was revoked. Create a new key"],
  notFound: [404, "033", "Data not found"],
  forbidden: [
    403,
    "035",
    "You can only manage your own device keys. Managing other people's keys requires the permission edit/member",
  ],
  forbiddenToToken: [
    403,
    "035",
    "A personal token can create device keys only with the permission edit/member. Sign in to create your own",
  ],
  badPerson: [400, "004", "userId is not an active member of your organization"],
  notReadable: [400, "013", "The request is not in the format of this device"],
})
