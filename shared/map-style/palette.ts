export type MapScheme = "light" | "dark"

/** Colours of the street map. Muted, so that pins, routes and people stand out in front of it. */
export interface StreetPalette {
  readonly ground: string
  readonly water: string
  readonly waterLine: string
  readonly waterName: string
  readonly land: Readonly<Record<string, string>>
  readonly building: string
  readonly buildingEdge: string
  readonly pier: string
  readonly roads: {
    readonly major: string
    readonly main: string
    readonly minor: string
    readonly quiet: string
  }
  readonly casings: { readonly major: string; readonly main: string; readonly minor: string }
  readonly tunnel: string
  readonly path: string
  readonly rail: string
  readonly railGap: string
  readonly boundary: string
  readonly arrow: string
  readonly text: {
    readonly place: string
    readonly road: string
    readonly quiet: string
    readonly green: string
  }
  readonly halo: string
}

export const streetPalettes: Readonly<Record<MapScheme, StreetPalette>> = {
  light: {
    ground: "#f4f3ef",
    water: "#bcd8e6",
    waterLine: "#a9cbdc",
    waterName: "#4a7d99",
    land: {
      residential: "#efede8",
      industrial: "#ebe9ec",
      commercial: "#f0ebe8",
      military: "#ece9e1",
      farmland: "#f0f0e0",
      grass: "#e0ebd4",
      wood: "#cfe2c4",
      wetland: "#d9e6dc",
      sand: "#f3ebd0",
      rock: "#e6e3dd",
      ice: "#f0f7fa",
      cemetery: "#dbe6d3",
      hospital: "#f6e8e8",
      school: "#f2eddd",
      airport: "#e9eaee",
      apron: "#dcdde3",
      park: "#d3e7c6",
      pitch: "#cde3cb",
      parking: "#ebe9e4",
      square: "#eeeae3",
      pier: "#f1efe9",
    },
    building: "#e4dfd7",
    buildingEdge: "#d3ccc1",
    pier: "#f1efe9",
    roads: { major: "#fbd9a0", main: "#fdeec2", minor: "#ffffff", quiet: "#fbfaf7" },
    casings: { major: "#dfa95c", main: "#dcc68a", minor: "#d5cfc4" },
    tunnel: "#ebe7df",
    path: "#c3ab93",
    rail: "#aeb0b5",
    railGap: "#f2f2f2",
    boundary: "#a696b8",
    arrow: "#8b8579",
    text: { place: "#2f3b45", road: "#4e4a43", quiet: "#75706a", green: "#49724a" },
    halo: "#ffffff",
  },
  dark: {
    ground: "#1c2327",
    water: "#0e1a23",
    waterLine: "#1b3342",
    waterName: "#5c8ba8",
    land: {
      residential: "#20272b",
      industrial: "#22282e",
      commercial: "#242a2e",
      military: "#23292a",
      farmland: "#20282a",
      grass: "#1f2d28",
      wood: "#1b2e26",
      wetland: "#1a2b2c",
      sand: "#2c2c26",
      rock: "#262a2c",
      ice: "#2b3438",
      cemetery: "#202d2a",
      hospital: "#2b272b",
      school: "#282a29",
      airport: "#222830",
      apron: "#2a3038",
      park: "#1d3228",
      pitch: "#20362d",
      parking: "#242b2f",
      square: "#262d31",
      pier: "#232a2e",
    },
    building: "#293237",
    buildingEdge: "#343e44",
    pier: "#232a2e",
    roads: { major: "#6b5f45", main: "#525048", minor: "#3b464c", quiet: "#313b41" },
    casings: { major: "#14191c", main: "#14191c", minor: "#14191c" },
    tunnel: "#2a3338",
    path: "#4e5a5f",
    rail: "#48525a",
    railGap: "#1c2327",
    boundary: "#6b6283",
    arrow: "#8d999e",
    text: { place: "#dfe7ea", road: "#b3bec3", quiet: "#8d999f", green: "#86b393" },
    halo: "#14191c",
  },
}
