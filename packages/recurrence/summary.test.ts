import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { formatTimeOfDay } from "./calendar.ts"
import { parseSchedule } from "./parse.ts"
import { weekdays } from "./schedule.ts"
import { type SummaryLanguage, summarizeSchedule, summaryLanguages } from "./summary.ts"
import { randomSchedule } from "./testing/random-schedules.ts"

const window = { startTime: "2027-04-07", endTime: "2027-05-06 23:59" }
const hours = Array.from({ length: 24 }, (_, hour) => formatTimeOfDay(hour * 60))

const summaries: readonly { body: Record<string, unknown>; en: string; id: string }[] = [
  {
    body: { periode: "daily", ...window, schedules: [{ time: ["13:15"] }, { time: ["06:30", "13:15"] }] },
    en: "Every day at 06:30 and 13:15, from 7 April 2027 to 6 May 2027 (UTC).",
    id: "Setiap hari pukul 06:30 dan 13:15, dari 7 April 2027 sampai 6 Mei 2027 (UTC).",
  },
  {
    body: { periode: "daily", ...window, timeZone: "Asia/Jakarta", schedules: [{ time: hours }] },
    en: "Every day at 24 times between 00:00 and 23:00, from 7 April 2027 to 6 May 2027 (Asia/Jakarta time).",
    id: "Setiap hari pada 24 waktu antara pukul 00:00 dan 23:00, dari 7 April 2027 sampai 6 Mei 2027 (waktu Asia/Jakarta).",
  },
  {
    body: {
      periode: "weekly",
      ...window,
      schedules: [
        { day: "friday", time: ["16:30", "08:00"] },
        { day: "tuesday", time: "08:00" },
      ],
    },
    en: "Every Tuesday at 08:00; on Friday at 08:00 and 16:30, from 7 April 2027 to 6 May 2027 (UTC).",
    id: "Setiap hari Selasa pukul 08:00; pada hari Jumat pukul 08:00 dan 16:30, dari 7 April 2027 sampai 6 Mei 2027 (UTC).",
  },
  {
    body: {
      periode: "weekly",
      ...window,
      schedules: weekdays.slice(0, 5).map((day) => ({ day, time: "08:00" })),
    },
    en: "Every Monday to Friday at 08:00, from 7 April 2027 to 6 May 2027 (UTC).",
    id: "Setiap hari Senin sampai Jumat pukul 08:00, dari 7 April 2027 sampai 6 Mei 2027 (UTC).",
  },
  {
    body: { periode: "weekly", ...window, schedules: weekdays.map((day) => ({ day, time: "08:00" })) },
    en: "Every day at 08:00, from 7 April 2027 to 6 May 2027 (UTC).",
    id: "Setiap hari pukul 08:00, dari 7 April 2027 sampai 6 Mei 2027 (UTC).",
  },
  {
    body: { periode: "monthly", ...window, schedules: [{ date: 31, time: "05:00" }] },
    en: "Every month on the 31st at 05:00, from 7 April 2027 to 6 May 2027 (UTC). Months without a day 31 are skipped.",
    id: "Setiap bulan pada tanggal 31 pukul 05:00, dari 7 April 2027 sampai 6 Mei 2027 (UTC). Bulan tanpa tanggal 31 dilewati.",
  },
  {
    body: {
      periode: "byDate",
      schedules: [
        { date: "2027-12-24", time: "04:00" },
        { date: "2027-11-26", time: ["04:00", "10:00"] },
      ],
    },
    en: "On 26 November 2027 at 04:00 and 10:00; on 24 December 2027 at 04:00 (UTC).",
    id: "Pada 26 November 2027 pukul 04:00 dan 10:00; pada 24 Desember 2027 pukul 04:00 (UTC).",
  },
  {
    body: {
      periode: "byDate",
      schedules: Array.from({ length: 9 }, (_, index) => ({ date: `2027-11-1${index}`, time: hours[index] })),
    },
    en: "On 9 dates between 10 November 2027 and 18 November 2027 at different times (UTC).",
    id: "Pada 9 tanggal antara 10 November 2027 dan 18 November 2027 pada waktu yang berbeda-beda (UTC).",
  },
  {
    body: {
      periode: "custom",
      frequency: "daily",
      interval: 3,
      startTime: "2027-10-04 10:00",
      endTime: "2027-10-13 12:00",
      schedules: [{ time: "09:00" }],
    },
    en: "Every 3 days at 09:00, from 4 October 2027 10:00 to 13 October 2027 12:00 (UTC).",
    id: "Setiap 3 hari pukul 09:00, dari 4 Oktober 2027 10:00 sampai 13 Oktober 2027 12:00 (UTC).",
  },
  {
    body: {
      periode: "custom",
      frequency: "weekly",
      interval: 2,
      ...window,
      schedules: ["thursday", "monday"].map((day) => ({ day, time: "02:00" })),
    },
    en: "Every 2 weeks on Monday and Thursday at 02:00, from 7 April 2027 to 6 May 2027 (UTC).",
    id: "Setiap 2 minggu pada hari Senin dan Kamis pukul 02:00, dari 7 April 2027 sampai 6 Mei 2027 (UTC).",
  },
  {
    body: {
      periode: "custom",
      frequency: "monthly",
      interval: 3,
      ...window,
      endTime: "2027-04-07",
      timeZone: "Europe/Berlin",
      schedules: [3, 11, 22].map((date) => ({ date, time: "20:00" })),
    },
    en: "Every 3 months on the 3rd, 11th and 22nd at 20:00, on 7 April 2027 (Europe/Berlin time).",
    id: "Setiap 3 bulan pada tanggal 3, 11, dan 22 pukul 20:00, pada 7 April 2027 (waktu Europe/Berlin).",
  },
]

for (const { body, en, id } of summaries) {
  test(`a schedule is described as: ${en}`, () => {
    const parsed = parseSchedule(body)
    assert.ok(parsed.ok)
    assert.equal(summarizeSchedule(parsed.schedule, "en"), en)
    assert.equal(summarizeSchedule(parsed.schedule, "id"), id)
  })
}

test("a schedule is described in every language, with its plurals", () => {
  const schedules = ["monday", "thursday"].map((day) => ({ day, time: "02:00" }))
  const parsed = parseSchedule({ periode: "custom", frequency: "weekly", interval: 2, ...window, schedules })
  assert.ok(parsed.ok)
  const described = { es: "Cada 2 semanas", pt: "A cada 2 semanas", fr: "Toutes les 2 semaines" } as const
  const others = { de: "Alle 2 Wochen", ar: "كل أسبوعين" } as const
  for (const [language, start] of Object.entries({ ...described, ...others }))
    assert.ok(
      summarizeSchedule(parsed.schedule, language as SummaryLanguage).startsWith(`${start} `),
      language,
    )
})

test("every schedule has a summary that is whole and short", () => {
  fc.assert(
    fc.property(randomSchedule, fc.constantFrom(...summaryLanguages), (schedule, language) => {
      const summary = summarizeSchedule(schedule, language)
      assert.doesNotMatch(summary, /undefined|NaN| {2}/)
      assert.ok(summary.length < 500, summary)
    }),
  )
})
