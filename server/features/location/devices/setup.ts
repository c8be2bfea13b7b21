/** How to set up one app for a key: what to type, or a link to tap or to scan as a QR code. */
export interface AppSetup {
  app: string
  /** Opens the app and configures it. Null: the app has no such link. */
  link: string | null
  /** What the app itself scans, in a QR code. Null: the app scans nothing. */
  scan: string | null
  /** What to type by hand, by the names that the app shows. */
  fields: { name: string; value: string }[]
}

/** `base` is the address of the API, such as https://example.org/api/v3. */
export function appSetups(base: string, key: string): AppSetup[] {
  const osmand = `${base}/device/osmand`
  const owntracks = `${base}/device/owntracks`
  const overland = `${base}/device/overland`
  const configuration = {
    _type: "configuration",
    mode: 3,
    url: owntracks,
    auth: true,
    username: "fieldway",
    password: key,
  }
  const inline = Buffer.from(JSON.stringify(configuration)).toString("base64")
  return [
    {
      app: "Traccar Client",
      link: `org.traccar.client://config?${new URLSearchParams({ url: osmand, id: key, buffer: "true" })}`,
      scan: `${osmand}?id=${key}`,
      fields: [
        { name: "Server URL", value: osmand },
        { name: "Device identifier", value: key },
      ],
    },
    {
      app: "OwnTracks",
      scan: null,
      link: `owntracks:///config?inline=${encodeURIComponent(inline)}`,
      fields: [
        { name: "Mode", value: "HTTP" },
        { name: "URL", value: owntracks },
        { name: "Username", value: "fieldway" },
        { name: "Password", value: key },
      ],
    },
    {
      app: "Overland",
      scan: null,
      link: `overland://setup?url=${encodeURIComponent(overland)}&token=${encodeURIComponent(key)}`,
      fields: [
        { name: "Receiver Endpoint", value: overland },
        { name: "Access Token", value: key },
      ],
    },
    {
      app: "GPSLogger",
      link: null,
      scan: null,
      fields: [
        {
          name: "Log to custom URL",
          value: `${osmand}?key=${key}&lat=%LAT&lon=%LON&time=%TIME&acc=%ACC&s=%SPD&dir=%DIR&alt=%ALT&batt=%BATT&sat=%SAT&prov=%PROV`,
        },
      ],
    },
    {
      app: "OsmAnd",
      link: null,
      scan: null,
      fields: [
        {
          name: "Online tracking: web address",
          value: `${osmand}?key=${key}&speedUnit=mps&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}&bearing={6}`,
        },
      ],
    },
    {
      app: "GPX file",
      link: null,
      scan: null,
      fields: [{ name: "POST the file to", value: `${base}/device/gpx?key=${key}` }],
    },
  ]
}
