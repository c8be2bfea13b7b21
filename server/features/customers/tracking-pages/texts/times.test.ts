import assert from "node:assert/strict"
import { test } from "node:test"
import { timesIn } from "../markup.ts"

test("an hour before ten has the same digits with and without its day", () => {
  const morning = Temporal.Instant.from("2031-03-05T09:05:00Z")
  for (const [language, time] of [
    ["en", "09:05"],
    ["de", "09:05"],
    ["es", "9:05"],
    ["id", "09.05"],
  ] as const) {
    const times = timesIn(language, "UTC")
    assert.equal(times.time(morning), time)
    assert.match(times.dayAndTime(morning), new RegExp(`[^0-9]${time}$`))
  }
})
