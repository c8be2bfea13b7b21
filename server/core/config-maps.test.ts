import assert from "node:assert/strict"
import { test } from "node:test"
import { readConfig } from "./config.ts"

test("further map layers and map administrators are validated at the start", () => {
  const config = readConfig({
    MAPS_ADMIN: "6a01c0ffee5de0b4a7710c11, 6a01c0ffee5de0b4a7710c12",
    MAP_LAYERS: '[{"title":"Satellite","tiles":"https://tiles.example/{z}/{x}/{y}.jpg"}]',
  })
  assert.deepEqual(config.mapsAdmin, ["6a01c0ffee5de0b4a7710c11", "6a01c0ffee5de0b4a7710c12"])
  assert.deepEqual(config.mapLayers, [
    {
      title: "Satellite",
      tiles: "https://tiles.example/{z}/{x}/{y}.jpg",
      attribution: "",
      maxZoom: 19,
      tileSize: 256,
    },
  ])
  for (const layers of [
    "x",
    "{}",
    "[null]",
    '[{"title":"A","tiles":"ftp://x/{z}"}]',
    '[{"title":"A","tiles":"https://x/"}]',
  ])
    assert.throws(() => readConfig({ MAP_LAYERS: layers }), /MAP_LAYERS/, layers)
  assert.throws(() => readConfig({ MAPS_ADMIN: "acme" }), /MAPS_ADMIN/)
  assert.deepEqual(readConfig({ MAP_ORIGINS: "https://tiles.example" }).mapOrigins, ["https://tiles.example"])
  for (const origins of ["*", "https://tiles.example/"])
    assert.throws(() => readConfig({ MAP_ORIGINS: origins }), /MAP_ORIGINS/)
})
