import { defineErrors } from "#core/errors.ts"

export const trackerErrors = defineErrors("lochi", {
  badPerson: [400, "004", "userId is not an active member of your organization"],
  badNumber: [
    400,
    "016",
    "The IMEI must have 15 digits, or be the number of 8 to 20 digits that the device sends",
  ],
  notFound: [404, "033", "Data not found"],
  forbidden: [
    403,
    "035",
    "Messages contain positions. Reading those of this person requires the permission view/tracking and access to one of their hubs",
  ],
  notOperator: [403, "035", "Only the first organization of the installation can list unknown devices"],
  taken: [
    409,
    "031",
    "A device with this IMEI is already registered. Remove it where it is registered first",
  ],
})
