import assert from "node:assert/strict"
import { test } from "node:test"
import { withoutUnit } from "./without-unit.ts"

test("flats, floors, offices and cross streets are left out, and nothing else", () => {
  const shorter: [string, string][] = [
    ["Yaguarón 1407 apto 3", "Yaguarón 1407"],
    ["San José 1100 Apto. 301, Montevideo", "San José 1100 , Montevideo"],
    ["San José 1100, piso 3, oficina 5", "San José 1100, ,"],
    ["San José 1100 3er piso", "San José 1100"],
    ["San José 1100 #301", "San José 1100"],
    ["San José 1100 apto", "San José 1100"],
    ["San José 1100 esq. Paraguay, Montevideo", "San José 1100, Montevideo"],
    ["18 de Julio 1234 entre Yi y Cuareim", "18 de Julio 1234"],
    ["Flat 3, 12 High Street", ", 12 High Street"],
    ["123 Main St Apt 4B", "123 Main St"],
    ["Av. Brasil 2400 apto B", "Av. Brasil 2400"],
    ["Hauptstraße 12, 2. Stock", "Hauptstraße 12,"],
    ["ул. Ленина 5 кв 12", "ул. Ленина 5"],
  ]
  for (const [text, expected] of shorter)
    assert.equal(withoutUnit(text).replace(/\s+/g, " ").trim(), expected, text)
  const whole = [
    "Torre 4",
    "Piso 3",
    "18 de julio esq ejido",
    "Ruta 8 esq. Camino Maldonado",
    "San José #1100",
  ]
  for (const text of [...whole, "Departamento de Canelones", "Avenue of 5th Army 12"])
    assert.equal(withoutUnit(text), text)
})
