import { defineErrors } from "#core/errors.ts"

export const stockErrors = defineErrors("stock", {
  invalid: [400, "016", "The movement is invalid"],
  badHolder: [400, "036", "This vehicle or hub does not exist, or you do not have access to it"],
  tooMany: [400, "040", "An organization has at most 50,000 stock items"],
  codeTaken: [409, "002", "Another stock item has this code"],
  tooFew: [409, "003", "There is not enough in stock"],
  isMade: [409, "005", "It was booked with finished work"],
  inUse: [409, "004", "There is some of this item in stock. Issue it first"],
  noItem: [404, "033", "This stock item does not exist"],
})
