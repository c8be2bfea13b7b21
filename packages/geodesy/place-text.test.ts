import assert from "node:assert/strict"
import { test } from "node:test"
import { parsePlaceText } from "./place-text.ts"

test("coordinates and links of map services are positions", () => {
  for (const text of [
    "-34.9059,-56.1913",
    " -34.9059 , -56.1913 ",
    "-34.9059 -56.1913",
    "geo:-34.9059,-56.1913?z=17",
    "https://www.google.com/maps/@-34.9059,-56.1913,17z",
    "https://www.google.com/maps/place/Plaza/@-34.91,-56.2,17z/data=!3m1!4b1!4m5!3m4!8m2!3d-34.9059!4d-56.1913",
    "https://maps.google.com/?q=-34.9059,-56.1913",
    "https://www.google.com/maps/search/?api=1&query=-34.9059%2C-56.1913",
    "https://www.openstreetmap.org/#map=17/-34.9059/-56.1913",
    "https://www.openstreetmap.org/?mlat=-34.9059&mlon=-56.1913#map=5/0/0",
    "https://maps.apple.com/?ll=-34.9059,-56.1913",
    "https://waze.com/ul?ll=-34.9059,-56.1913&navigate=yes",
    "https://bing.com/maps?cp=-34.9059~-56.1913&lvl=16",
    "34.9059°S 56.1913°W",
    "56.1913W, 34.9059S",
  ])
    assert.deepEqual(parsePlaceText(text), [-56.1913, -34.9059], text)
  assert.deepEqual(parsePlaceText(`34°54'36"S 56°12'0"W`), [-56.2, -34.91])
  for (const text of [
    "",
    "Main Street 12",
    "91,0",
    "1,2,3",
    "https://maps.app.goo.gl/abc",
    "https://example.com/12,13",
    "12",
    "34.9S",
    "34.9S, 33.9S",
    "34.9S, 56.1W, 33.9S",
    "34.9S, house 3W",
    "house 3S, 56.1W",
  ])
    assert.equal(parsePlaceText(text), undefined, text)
})

test("a text is read up to its two thousandth character", () => {
  const link = "https://www.openstreetmap.org/?mlat=5&mlon=1234"
  const ofLength = (length: number) => `${" ".repeat(length - link.length + 3)}${link}`
  assert.deepEqual(parsePlaceText(ofLength(2000)), [1, 5])
  assert.deepEqual(parsePlaceText(ofLength(1999)), [12, 5])
})
