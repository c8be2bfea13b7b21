import { plainText, type Tags } from "./names.ts"

export const osmTypes = ["node", "way", "relation"] as const
export type OsmType = (typeof osmTypes)[number]

/** Texts by number: millions of addresses share few streets, cities and postcodes. */
class Texts {
  readonly #texts: string[] = [""]
  readonly #numbers = new Map<string, number>([["", 0]])

  numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }

  at(number: number): string {
    return this.#texts[number] ?? ""
  }
}

const maxText = 200
const maxNumber = 40

export interface AddressTags {
  readonly number: string
  readonly street: string
  readonly city: string
  readonly postcode: string
}

const text = (tags: Tags, key: string, length = maxText) => plainText(tags.get(key) ?? "", length)

/** An address needs a number or the name of the house. `addr:place` names a village whose houses have no street. */
export function addressOf(tags: Tags): AddressTags | undefined {
  const number =
    text(tags, "addr:housenumber", maxNumber) ||
    text(tags, "addr:conscriptionnumber", maxNumber) ||
    text(tags, "addr:housename", maxNumber)
  if (!number) return undefined
  return {
    number,
    street: text(tags, "addr:street") || text(tags, "addr:place"),
    city: text(tags, "addr:city"),
    postcode: text(tags, "addr:postcode", 20),
  }
}

/** Houses as columns: a country has tens of millions. */
export class AddressColumns {
  readonly texts = new Texts()
  readonly lon: number[] = []
  readonly lat: number[] = []
  readonly osmTypes: number[] = []
  readonly osmIds: number[] = []
  readonly numbers: number[] = []
  readonly streets: number[] = []
  readonly cities: number[] = []
  readonly postcodes: number[] = []
  /** The tag's value where the house is a building. */
  readonly buildings: number[] = []
  /** 1: a point of interest has this address; 2: computed between two numbers. */
  readonly origins: number[] = []

  get count(): number {
    return this.lon.length
  }

  add(
    address: AddressTags,
    place: { lon: number; lat: number; osmType: OsmType; osmId: number },
    kind: { building?: string; origin?: 0 | 1 | 2 } = {},
  ): number {
    this.lon.push(place.lon)
    this.lat.push(place.lat)
    this.osmTypes.push(osmTypes.indexOf(place.osmType))
    this.osmIds.push(place.osmId)
    this.numbers.push(this.texts.numberOf(address.number))
    this.streets.push(this.texts.numberOf(address.street))
    this.cities.push(this.texts.numberOf(address.city))
    this.postcodes.push(this.texts.numberOf(address.postcode))
    this.buildings.push(this.texts.numberOf(kind.building ?? ""))
    this.origins.push(kind.origin ?? 0)
    return this.count - 1
  }

  addressAt(index: number): AddressTags {
    const at = (column: readonly number[]) => this.texts.at(column[index] ?? 0)
    return {
      number: at(this.numbers),
      street: at(this.streets),
      city: at(this.cities),
      postcode: at(this.postcodes),
    }
  }
}
