export { readCountries } from "./build/countries.ts"
export { loadAddresses } from "./build/load-addresses.ts"
export { placeErrors } from "./errors.ts"
export {
  findAddressAt,
  findPlaces,
  type LocatedAddress,
  locateAddresses,
  sureConfidence,
} from "./find-places.ts"
export { placeRoutes } from "./routes.ts"
export {
  discardAddresses,
  hasAddresses,
  makeAddressTables,
  publishAddresses,
  removeAddresses,
  sweepAddresses,
} from "./versions.ts"
