import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import { buildAddressIndex } from "#packages/addresses/index.ts"
import { openExtract } from "#packages/osm-extract/index.ts"
import { extractBytes, extractFile, type TestEntities } from "#packages/osm-extract/testing/encode.ts"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { discardAddresses, loadAddresses, publishAddresses, readCountries, removeAddresses } from "./index.ts"

const house = (id: number, lat: number, lon: number, number: string, street: string, more = {}) => ({
  ...{ id, lat, lon },
  tags: { "addr:housenumber": number, "addr:street": street, ...more },
})

/** Two streets that cross in a town, with houses, an interpolated row, a café and names in several scripts. */
const town = (mainStreet = "Avenida General Rivera"): TestEntities => ({
  nodes: [
    { id: 1, lat: -34.9, lon: -56.16 },
    { id: 2, lat: -34.9, lon: -56.15 },
    { id: 3, lat: -34.9, lon: -56.14 },
    { id: 4, lat: -34.91, lon: -56.15 },
    { id: 5, lat: -34.89, lon: -56.15 },
    house(10, -34.9001, -56.159, "2501", mainStreet, { "addr:postcode": "11300" }),
    house(11, -34.9001, -56.145, "2601", mainStreet, { "addr:postcode": "11300" }),
    house(12, -34.905, -56.1501, "14 bis", "Ñandú"),
    house(13, -34.905, -56.1505, "1", "Ñandú"),
    house(14, -34.907, -56.1505, "9", "Ñandú"),
    {
      ...{ id: 20, lat: -34.902, lon: -56.152 },
      tags: {
        place: "city",
        name: "Montevideo",
        "name:ar": "مونتيفيديو",
        "name:ja": "モンテビデオ",
        population: "1300000",
      },
    },
    { id: 21, lat: -34.901, lon: -56.151, tags: { place: "suburb", name: "Pocitos" } },
    {
      id: 22,
      lat: -34.9004,
      lon: -56.1488,
      tags: { amenity: "cafe", name: "Café Brasilero", opening_hours: "Mo-Fr 08:00-20:00" },
    },
    { id: 23, lat: -34.9005, lon: -56.1486, tags: { natural: "beach", name: "Brasilero" } },
  ],
  ways: [
    { id: 101, refs: [1, 2], tags: { highway: "primary", name: mainStreet } },
    { id: 102, refs: [2, 3], tags: { highway: "primary", name: mainStreet } },
    { id: 103, refs: [4, 2, 5], tags: { highway: "residential", name: "Ñandú" } },
    { id: 105, refs: [1, 4], tags: { highway: "residential", name: "Sorata" } },
    { id: 104, refs: [13, 14], tags: { "addr:interpolation": "odd" } },
  ],
})

interface Result {
  place_id: number
  display_name: string
  lat: string
  lon: string
  type: string
  osm_id?: number
  address?: Record<string, string>
  name: string
  boundingbox: string[]
}

let builds = 0

async function anInstallation(...towns: [region: string, entities: TestEntities][]) {
  const test = await testApp()
  const org = await anOrganization(test.sql)
  const load = async (region: string, entities: TestEntities) => {
    const extract = await openExtract(await extractFile(extractBytes(entities)))
    builds += 1
    const version = { region, version: `${region}-${builds}` }
    const index = await buildAddressIndex(extract, await readCountries())
    await loadAddresses(test.sql, version, index, () => undefined)
    await extract.close()
    return version
  }
  for (const [region, entities] of towns) {
    const version = await load(region, entities)
    await inTransaction(test.sql, (tx) => publishAddresses(tx, version))
  }
  const get = async (path: string) => {
    const reply = await test.as(org.owner).get(path)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const search = (q: string, more = ""): Promise<Result[]> =>
    get(`/places/search?q=${encodeURIComponent(q)}&format=jsonv2&addressdetails=1${more}`)
  return { ...test, org, load, get, search }
}

let loaded: ReturnType<typeof anInstallation> | undefined

/** The town, loaded once: most tests only read. */
const aTown = () => {
  loaded ??= anInstallation(["town", town()])
  return loaded
}

test("addresses are found as people write them, and as Nominatim describes them", async () => {
  const { search, get } = await aTown()
  const [found] = await search("Av. Gral. Rivera 2501, Montevideo")
  assert.deepEqual(
    { ...found, place_id: 0, licence: "", importance: 0 },
    {
      ...{ place_id: 0, licence: "", osm_type: "node", osm_id: 10, lat: "-34.9001000", lon: "-56.1590000" },
      ...{ category: "place", type: "house", place_rank: 30, importance: 0, addresstype: "place", name: "" },
      display_name: "2501, Avenida General Rivera, Pocitos, Montevideo, 11300, Uruguay",
      address: {
        ...{ house_number: "2501", road: "Avenida General Rivera", suburb: "Pocitos", city: "Montevideo" },
        ...{ postcode: "11300", country: "Uruguay", country_code: "uy" },
      },
      boundingbox: ["-34.9001500", "-34.9000500", "-56.1590500", "-56.1589500"],
    },
  )
  const expected: [string, string][] = [
    ["2601 general rivera", "2601, Avenida General Rivera"],
    ["avenida rivea 2501", "2501, Avenida General Rivera"],
    ["avendia general riv", "Avenida General Rivera"],
    ["generalrivera 2501", "2501, Avenida General Rivera"],
    ["nandu 14bis", "14 bis, Ñandú"],
    ["rivera 2501 apto 3, montevideo", "2501, Avenida General Rivera"],
    ["34°54'0.4\"S 56°9'32.4\"W", "2501, Avenida General Rivera"],
    ["ÑANDÚ 5", "5, Ñandú"],
    ["Rivera y Ñandu", "Avenida General Rivera / Ñandú"],
    ["cafe brasil", "Café Brasilero"],
    // One error away from "straat" as well.
    ["soraat, montevideo", "Sorata"],
    ["soraat", "Sorata"],
    ["مونتيفيديو", "Montevideo"],
    ["モンテビデオ", "Montevideo"],
    ["11300", "11300"],
    ["montevdeo", "Montevideo"],
  ]
  for (const [text, start] of expected) {
    const [first] = await search(text)
    assert.ok(first?.display_name.includes(start), `${text}: ${first?.display_name}`)
  }
  const [estimated] = await search("General Rivera 2551")
  assert.ok(Math.abs(Number(estimated?.lon) + 56.152) < 0.0001, "between its neighbours")
  const [arabic] = await search("montevideo", "&accept-language=ar")
  assert.equal(arabic?.name, "مونتيفيديو")
  assert.deepEqual(await search("xqzw"), [])
  assert.equal((await get("/places/search?street=2501+general+rivera&city=montevideo"))[0].osm_id, 10)
  const [second] = await search("montevideo", "&accept-language=ar;q=0.3,ja")
  assert.equal(second?.name, "モンテビデオ", "the language with the larger weight")
  const others = await search("general rivera 2501", `&exclude_place_ids=N10,${found?.place_id}`)
  assert.ok(others.every(({ osm_id }) => osm_id !== 10))
})

test("layers, kinds of areas, further tags and collections of GeoJSON are Nominatim's", async () => {
  const { search, get } = await aTown()
  const names = async (text: string, more: string) => (await search(text, more)).map(({ name }) => name)
  assert.deepEqual((await names("brasilero", "")).toSorted(), ["Brasilero", "Café Brasilero"])
  assert.deepEqual(await names("brasilero", "&layer=poi"), ["Café Brasilero"])
  assert.deepEqual(await names("brasilero", "&layer=natural,railway"), ["Brasilero"])
  assert.deepEqual(await names("brasilero", "&layer=address"), [])
  assert.deepEqual(await names("pocitos", "&featureType=city"), [])
  assert.deepEqual(await names("pocitos", "&featureType=settlement"), ["Pocitos"])
  const [cafe] = await get("/places/search?q=cafe+brasilero&extratags=1")
  assert.deepEqual(cafe.extratags, { opening_hours: "Mo-Fr 08:00-20:00" })
  const house = "/places/search?q=general+rivera+2501&polygon_geojson=0&limit=1"
  const { type, features } = await get(`${house}&format=geojson`)
  assert.deepEqual(
    [type, features[0].geometry.coordinates, features[0].properties.osm_id],
    ["FeatureCollection", [-56.159, -34.9001], 10],
  )
  assert.deepEqual(features[0].bbox, [-56.15905, -34.90015, -56.15895, -34.90005])
  const { geocoding, features: coded } = await get(`${house}&format=geocodejson`)
  const { housenumber, street, city } = coded[0].properties.geocoding
  assert.deepEqual(
    [geocoding.query, housenumber, street, city],
    ["general rivera 2501", "2501", "Avenida General Rivera", "Montevideo"],
  )
  const reversed = await get("/places/reverse?lat=-34.90012&lon=-56.15901&format=geojson&layer=address,poi")
  assert.equal(reversed.features[0].properties.osm_id, 10)
})

test("the nearest house, street and area of a position are found", async () => {
  const { get } = await aTown()
  const at = async (lat: number, lon: number, more = "") =>
    (await get(`/places/reverse?lat=${lat}&lon=${lon}${more}`)).display_name
  assert.match(await at(-34.90012, -56.15901), /^2501, Avenida General Rivera, Pocitos/)
  assert.match(await at(-34.9, -56.1405), /^Avenida General Rivera, /)
  assert.match(await at(-34.9001, -56.159, "&zoom=14"), /^Pocitos, Montevideo/)
  assert.match(await at(-34.9001, -56.159, "&zoom=10"), /^Montevideo, Uruguay/)
  assert.deepEqual(await get("/places/reverse?lat=10&lon=10"), { error: "Unable to geocode" })
})

test("a batch says how sure each address is", async () => {
  const { as, org } = await aTown()
  const addresses = ["General Rivera 2501, Montevideo", "General Rivera", "Nowhere 99"]
  const reply = await as(org.owner).post("/places/batch", { addresses })
  assert.equal(reply.statusCode, 200, reply.body)
  const [sure, street, nothing] = reply.json().data
  assert.ok(sure.confidence >= 0.8 && sure.place.osm_id === 10, JSON.stringify(sure))
  assert.ok(street.confidence < 0.8 && street.place !== null)
  assert.deepEqual(nothing, { address: "Nowhere 99", confidence: 0, place: null })
  const elsewhere = { addresses: ["General Rivera 2501, Punta Carretas"] }
  const [astray] = (await as(org.owner).post("/places/batch", elsewhere)).json().data
  assert.equal(astray.place.osm_id, 10, "found with a word that fits nothing")
  const { data, failed } = (await as(org.owner).post("/geocode", { address: addresses })).json()
  assert.deepEqual(data[0].coordinate, [-34.9001, -56.159])
  assert.deepEqual([data[0].engine, failed[0].failedCode], ["maps", "route-041"])
})

test("unusual queries are refused or find nothing, and never fail", async () => {
  const { as, org, search } = await aTown()
  for (const query of [
    "",
    "?q=%20",
    `?q=${"a".repeat(301)}`,
    "?q=a&viewbox=1,2,3",
    "?q=a&format=xml",
    "?q=a&city=b",
    "?q=a&polygon_geojson=1",
    "?q=a&layer=address,moon",
    "?q=a&featureType=street",
  ])
    assert.equal((await as(org.owner).get(`/places/search${query}`)).statusCode, 400, query)
  for (const text of [
    "'; drop table hubs",
    "\u0000",
    "%",
    "-- {}[]\\",
    "de ".repeat(90),
    "1 ".repeat(140),
    "𝒜𝒶 🚚 e\u0301",
  ])
    await search(text, "&viewbox=-57,-35,-56,-34&bounded=1&countrycodes=uy,de")
  for (const query of ["?lat=91&lon=0", "?lat=1&lon=0&layer=poi", "?lat=1&lon=0&polygon_svg=1"])
    assert.equal((await as(org.owner).get(`/places/reverse${query}`)).statusCode, 400, query)
  const [here] = await search("-34.90012,-56.15901")
  assert.equal(here?.osm_id, 10, "coordinates find their address")
})

test("a new version replaces the old one at once, and what was never made current stays invisible", async () => {
  const { sql, load, search } = await anInstallation(["town", town("Old Street")])
  const version = await load("town", town("New Street"))
  const names = async () =>
    (await search("street 2501")).map(({ display_name }) => display_name.split(",")[1]?.trim())
  assert.deepEqual((await names())[0], "Old Street")
  await inTransaction(sql, (tx) => publishAddresses(tx, version))
  assert.deepEqual((await names())[0], "New Street")
  const broken = await load("town", town("Broken Street"))
  await discardAddresses(sql, broken)
  assert.deepEqual((await names())[0], "New Street")
  await inTransaction(sql, (tx) => removeAddresses(tx, "town"))
  assert.deepEqual(await names(), [])
  const left = await sql`select 1 from pg_class where relname ~ '^place_[a-z]+_[0-9]+$' and relkind = 'r'`
  assert.equal(left.length, 0, "no table is left")
})
