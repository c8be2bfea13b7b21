import { defineErrors } from "#core/errors.ts"

export const otherSystemErrors = defineErrors("import", {
  unusable: [422, "005", "The other system cannot be read"],
  badChoice: [400, "003", "An import option has an unknown value"],
  tooMany: [
    422,
    "006",
    "The list has more than 20,000 rows. Read it in the background, or choose a shorter range of dates",
  ],
  notFound: [404, "007", "This reading does not exist, or is older than 7 days"],
  notRunning: [409, "032", "This reading has ended and cannot be cancelled"],
  notDone: [409, "032", "This reading has no rows that can be imported"],
  tooManyReadings: [409, "008", "Ten readings are running or waiting. Wait for one to end, or cancel one"],
})
