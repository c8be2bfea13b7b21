// Shows beside every task how far it is from its hub, as the crow flies, and how long a drive may take.
// @permissions view/task, view/hub

const words = {
  en: {
    title: "Distance to the hub",
    distance: "Straight line",
    drive: "Drive, roughly",
    hub: "Hub",
    noPlace: "This task has no place yet.",
    minutes: "min",
  },
  id: {
    title: "Jarak ke hub",
    distance: "Garis lurus",
    drive: "Perjalanan, kira-kira",
    hub: "Hub",
    noPlace: "Tugas ini belum punya lokasi.",
    minutes: "mnt",
  },
}

/** Roads are longer than straight lines, in towns by about a third. */
const detour = 1.3
const kilometresPerHour = 30

fieldway.onPage(async ({ task }) => {
  if (!task) return
  const { language } = await fieldway.me()
  const word = words[language] ?? words.en
  const { task: opened } = await fieldway.read(`/task/${task}`)
  const { data: hub } = await fieldway.read(`/hub/${opened.hubId}`)
  // The person may have gone on meanwhile: the panel of a task that is not open is simply not seen.
  const place = coordinateOf(opened.expectedCoordinate)
  await fieldway.showPanel({
    place: "task",
    task,
    title: word.title,
    blocks: place ? [facts(word, language, hub, place)] : [{ type: "text", text: word.noPlace }],
  })
})

function facts(word, language, hub, place) {
  const kilometres = distanceKilometres(place, { lat: Number(hub.lat), lng: Number(hub.lng) })
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const minutes = Math.max(1, Math.round(((kilometres * detour) / kilometresPerHour) * 60))
  return {
    type: "facts",
    facts: [
      { name: word.hub, value: hub.name },
      { name: word.distance, value: `${number.format(kilometres)} km` },
      { name: word.drive, value: `${number.format(minutes)} ${word.minutes}` },
    ],
  }
}

/** Coordinates of tasks are texts, "lat,lng". */
function coordinateOf(text) {
  const [lat, lng] = String(text ?? "")
    .split(",")
    .map(Number)
  return Number.isFinite(lat) && Number.isFinite(lng) ? { lat, lng } : undefined
}

/** Haversine on the mean radius of the earth. */
function distanceKilometres(from, to) {
  const radians = (degrees) => (degrees * Math.PI) / 180
  const half = (a, b) => Math.sin(radians(b - a) / 2) ** 2
  const h =
    half(from.lat, to.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(from.lng, to.lng)
  return 2 * 6371.0088 * Math.asin(Math.sqrt(h))
}
