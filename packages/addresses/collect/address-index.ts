import type { Extract } from "#packages/osm-extract/index.ts"
import { hashInName, hashOf } from "../text/spelling.ts"
import { wordsOf } from "../text/words.ts"
import { type AddressColumns, type OsmType, osmTypes } from "./address-columns.ts"
import { AreaIndex, linkPlaces, type NumberedPlace } from "./areas.ts"
import { type Crossing, crossingsOf } from "./crossings.ts"
import type { Box } from "./grid.ts"
import { streetsOfHouses } from "./houses.ts"
import type { PlaceKind } from "./kinds.ts"
import { type Names, plainText, spellingsOfNames } from "./names.ts"
import { postcodesOf } from "./postcodes.ts"
import { type Found, type ReadAddresses, readAddresses } from "./read-extract.ts"
import { groupStreets, type Street, type Streets } from "./streets.ts"

/** What a search can find by its name. */
export interface Entry extends PlaceKind {
  readonly id: number
  readonly kind: EntryKind
  readonly osmType?: OsmType
  readonly osmId?: number
  readonly names: Names
  /** Each way to write a name, as words with blanks between them. */
  readonly spellings: readonly string[]
  /** Hashes of the words of its names and of the areas around it; those of its names also marked as such. */
  readonly words: readonly number[]
  /** Ids of the areas around it, the largest first. */
  readonly parents: readonly number[]
  /** Ids of further areas that a street passes. */
  readonly passes: readonly number[]
  /** Words that its houses add: cities, postcodes, the street of a point of interest. */
  readonly extra: string
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly postcode: string
  /** Where no area around it is a city: what its houses name as their city. */
  readonly city: string
  readonly house?: Found<PlaceKind>["house"]
  readonly extraTags?: Found<PlaceKind>["extraTags"]
  /** In 1e-7 degrees. */
  readonly lon: number
  readonly lat: number
  readonly bounds: Box
}

export const entryKinds = ["street", "place", "interest", "postcode"] as const
export type EntryKind = (typeof entryKinds)[number]

export interface House {
  /** The id of the street's entry. */
  readonly street: number
  readonly number: string
  readonly osmType: OsmType
  readonly osmId: number
  readonly building: string
  /** Computed between two numbers. */
  readonly isInterpolated: boolean
  readonly isInterest: boolean
  readonly postcode: string
  /** Where they differ from those of the street. */
  readonly parents: readonly number[] | undefined
  readonly lon: number
  readonly lat: number
}

export interface StreetLine {
  readonly street: number
  readonly line: Int32Array
}

/** Names of the countries by code, and the country of a place in degrees. */
export interface Countries {
  countryAt(lon: number, lat: number): string | undefined
  namesOf(code: string): Names
}

export interface AddressIndex {
  /** Call it once, to its end; `wordCounts` is complete then. */
  entries(): Iterable<Entry>
  houses(): Iterable<House>
  lines(): Iterable<StreetLine>
  crossings(): Iterable<Crossing>
  /** How many entries have a word. */
  readonly wordCounts: ReadonlyMap<string, number>
  readonly report: { readonly streets: number; readonly houses: number; readonly places: number }
}

export async function buildAddressIndex(extract: Extract, countries: Countries): Promise<AddressIndex> {
  const read = await readAddresses(extract)
  const streets = groupStreets(read.streetWays)
  const streetOfHouse = streetsOfHouses(read.addresses, streets, read.streetWays)
  return new Index(read, streets, streetOfHouse, countries)
}

interface StreetDetails {
  readonly cities: Set<number>
  readonly postcodes: Map<number, number>
}

/** Of a street, to find the areas that it passes. */
const maxWaysWithAreas = 40

class Index implements AddressIndex {
  readonly wordCounts = new Map<string, number>()
  readonly #read: ReadAddresses
  readonly #streets: Streets
  readonly #streetOfHouse: Int32Array
  readonly #countries: Countries
  readonly #areas: AreaIndex
  readonly #places: NumberedPlace[]
  readonly #countryIds = new Map<string, number>()
  readonly #countryOfCell = new Map<string, string>()
  readonly #wordsOfPlace = new Map<number, readonly string[]>()
  readonly #details = new Map<number, StreetDetails>()
  readonly #firstStreet: number

  constructor(read: ReadAddresses, streets: Streets, streetOfHouse: Int32Array, countries: Countries) {
    this.#read = read
    this.#streets = streets
    this.#streetOfHouse = streetOfHouse
    this.#countries = countries
    this.#places = linkPlaces(read.places).map((place, id) => ({ ...place, id }))
    this.#areas = new AreaIndex(this.#places)
    for (const { lon, lat } of [...read.places, ...streets.list, ...read.interests]) {
      const code = this.#countryAt(lon, lat)
      if (code && !this.#countryIds.has(code))
        this.#countryIds.set(code, this.#places.length + this.#countryIds.size)
    }
    this.#firstStreet = this.#places.length + this.#countryIds.size
    this.#noteDetails(read.addresses)
  }

  get report() {
    const houses = this.#streetOfHouse.reduce((count, street) => count + (street >= 0 ? 1 : 0), 0)
    return {
      streets: this.#streets.list.length,
      houses,
      places: this.#places.length + this.#read.interests.length,
    }
  }

  #noteDetails(addresses: AddressColumns): void {
    for (let index = 0; index < addresses.count; index += 1) {
      const street = this.#streetOfHouse[index] ?? -1
      const [city = 0, postcode = 0] = [addresses.cities[index], addresses.postcodes[index]]
      if (street < 0 || (city === 0 && postcode === 0)) continue
      const details = this.#details.get(street) ?? { cities: new Set(), postcodes: new Map() }
      if (city !== 0 && details.cities.size < 4) details.cities.add(city)
      if (postcode !== 0 && (details.postcodes.size < 6 || details.postcodes.has(postcode)))
        details.postcodes.set(postcode, (details.postcodes.get(postcode) ?? 0) + 1)
      this.#details.set(street, details)
    }
  }

  /** Countries are the same within some kilometres, except at borders. */
  #countryAt(lon: number, lat: number): string {
    const key = `${Math.round(lon / 200_000)} ${Math.round(lat / 200_000)}`
    const known = this.#countryOfCell.get(key)
    if (known !== undefined) return known
    const code = this.#countries.countryAt(lon / 1e7, lat / 1e7) ?? ""
    this.#countryOfCell.set(key, code)
    return code
  }

  #parentsAt(lon: number, lat: number, country: string, city = ""): number[] {
    const around = this.#areas.around(lon, lat, city)
    const countryId = this.#countryIds.get(country)
    const hasCountry = around.some((id) => this.#places[id]?.kind.level === "country")
    return countryId === undefined || hasCountry ? around : [countryId, ...around]
  }

  *entries(): Iterable<Entry> {
    for (const place of this.#places) {
      const country = this.#countryAt(place.lon, place.lat)
      const parents = this.#parentsAt(place.lon, place.lat, country).filter(
        (id) => (this.#places[id]?.kind.rank ?? 0) < place.kind.rank,
      )
      yield this.#entry("place", place.id, place, { country, parents })
    }
    for (const [code, id] of this.#countryIds) yield this.#countryEntry(code, id)
    for (const [index, street] of this.#streets.list.entries()) yield this.#streetEntry(index, street)
    let id = this.#firstStreet + this.#streets.list.length
    for (const interest of this.#read.interests) {
      const country = this.#countryAt(interest.lon, interest.lat)
      const parents = this.#parentsAt(interest.lon, interest.lat, country)
      const { house, postcode = "" } = interest
      const more = [...(house ? wordsOf(house.street) : []), ...wordsOf(postcode)]
      yield this.#entry("interest", id, interest, {
        country,
        parents,
        postcode,
        more,
        ...(house ? { house } : {}),
      })
      id += 1
    }
    for (const found of postcodesOf(this.#read, (lon, lat) => this.#countryAt(lon, lat))) {
      const parents = this.#parentsAt(found.lon, found.lat, found.country)
      yield this.#entry("postcode", id, found, {
        country: found.country,
        parents,
        postcode: found.names.name,
      })
      id += 1
    }
  }

  #countryEntry(code: string, id: number): Entry {
    const places = [...this.#places, ...this.#streets.list].filter(
      ({ lon, lat }) => this.#countryAt(lon, lat) === code,
    )
    const middle = places[Math.floor(places.length / 2)]
    const { lon = 0, lat = 0 } = middle ?? {}
    const kind = { category: "place", type: "country", rank: 4, importance: 0.8 }
    const names = this.#countries.namesOf(code)
    return this.#entry(
      "place",
      id,
      { kind, names, lon, lat, bounds: [lon, lat, lon, lat] },
      { country: code, parents: [] },
    )
  }

  #streetEntry(index: number, street: Street): Entry {
    const country = this.#countryAt(street.lon, street.lat)
    const details = this.#details.get(index)
    const texts = this.#read.addresses.texts
    const cities = [...(details?.cities ?? [])].map((city) => texts.at(city))
    const parents = this.#parentsAt(street.lon, street.lat, country, cities[0])
    const postcodes = [...(details?.postcodes ?? [])].toSorted(([, a], [, b]) => b - a)
    const others = new Set<number>()
    for (const { line } of street.ways.slice(0, maxWaysWithAreas))
      for (const at of [0, (line.length >> 2) * 2, line.length - 2])
        for (const id of this.#areas.around(line[at] ?? 0, line[at + 1] ?? 0)) others.add(id)
    const more = [
      ...cities.flatMap(wordsOf),
      ...[street.postcode, ...postcodes.map(([postcode]) => texts.at(postcode))].flatMap(wordsOf),
    ]
    const passes = [...others].filter((id) => !parents.includes(id))
    const place = street.osmId ? { ...street, osmType: "way" as const } : { ...street, osmId: undefined }
    return this.#entry("street", this.#firstStreet + index, place, {
      country,
      parents,
      passes,
      more,
      postcode: street.postcode || texts.at(postcodes[0]?.[0] ?? 0),
      city: cities[0] ?? "",
    })
  }

  #entry(
    kind: EntryKind,
    id: number,
    place: {
      kind: PlaceKind
      names: Names
      osmType?: OsmType
      osmId?: number | undefined
      lon: number
      lat: number
      bounds: Box
      extraTags?: Found<PlaceKind>["extraTags"]
    },
    context: {
      country: string
      parents: readonly number[]
      postcode?: string
      city?: string
      passes?: readonly number[]
      more?: readonly string[]
      house?: { number: string; street: string }
    },
  ): Entry {
    const { parents, country, postcode = "", city = "", passes = [], more = [], house } = context
    const spellings = spellingsOfNames(place.names)
    const nameWords = new Set(spellings.flatMap((spelling) => spelling.split(" ")))
    const words = new Set([
      ...nameWords,
      ...[...parents, ...passes].flatMap((parent) => this.#placeWords(parent)),
      ...more,
    ])
    for (const word of words) this.wordCounts.set(word, (this.wordCounts.get(word) ?? 0) + 1)
    const { category, type, rank, importance } = place.kind
    return {
      ...{ id, kind, category, type, rank, importance, names: place.names, spellings },
      ...(place.osmType && place.osmId ? { osmType: place.osmType, osmId: place.osmId } : {}),
      words: [...[...words].map(hashOf), ...[...nameWords].map(hashInName)],
      ...{ parents, passes, extra: [...new Set(more)].join(" "), country, postcode, city },
      ...(house ? { house } : {}),
      ...(place.extraTags ? { extraTags: place.extraTags } : {}),
      ...{ lon: place.lon, lat: place.lat, bounds: place.bounds },
    }
  }

  #placeWords(id: number): readonly string[] {
    let words = this.#wordsOfPlace.get(id)
    if (!words) {
      const code = [...this.#countryIds].find(([, countryId]) => countryId === id)?.[0]
      const names = code ? this.#countries.namesOf(code) : this.#places[id]?.names
      words = names ? [...new Set(spellingsOfNames(names).flatMap((spelling) => spelling.split(" ")))] : []
      this.#wordsOfPlace.set(id, words)
    }
    return words
  }

  *houses(): Iterable<House> {
    const columns = this.#read.addresses
    const parentsOfStreet = new Map<number, string>()
    for (let index = 0; index < columns.count; index += 1) {
      const street = this.#streetOfHouse[index] ?? -1
      const inList = this.#streets.list[street]
      if (!inList) continue
      const [lon, lat] = [columns.lon[index] ?? 0, columns.lat[index] ?? 0]
      const { number, postcode, city } = columns.addressAt(index)
      const around = this.#parentsAt(lon, lat, this.#countryAt(lon, lat), city)
      let usual = parentsOfStreet.get(street)
      if (usual === undefined) {
        const firstCity = columns.texts.at([...(this.#details.get(street)?.cities ?? [])][0] ?? 0)
        const country = this.#countryAt(inList.lon, inList.lat)
        usual = this.#parentsAt(inList.lon, inList.lat, country, firstCity).join()
        parentsOfStreet.set(street, usual)
      }
      yield {
        ...{ street: this.#firstStreet + street, number, postcode, lon, lat },
        osmType: osmTypes[columns.osmTypes[index] ?? 0] ?? "node",
        osmId: columns.osmIds[index] ?? 0,
        building: plainText(columns.texts.at(columns.buildings[index] ?? 0), 60),
        isInterest: columns.origins[index] === 1,
        isInterpolated: columns.origins[index] === 2,
        parents: around.join() === usual ? undefined : around,
      }
    }
  }

  *lines(): Iterable<StreetLine> {
    for (const [index, { line }] of this.#read.streetWays.entries()) {
      const street = this.#streets.ofWay[index] ?? -1
      if (street >= 0) yield { street: this.#firstStreet + street, line }
    }
  }

  *crossings(): Iterable<Crossing> {
    for (const crossing of crossingsOf(this.#read, this.#streets.ofWay))
      yield {
        ...crossing,
        street: this.#firstStreet + crossing.street,
        other: this.#firstStreet + crossing.other,
      }
  }
}
