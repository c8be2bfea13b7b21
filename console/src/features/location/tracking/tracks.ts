import { queryOptions } from "@tanstack/react-query"
import { dataOf, type ResponseBody, server } from "../../../api/server.ts"
import type { ShownPart } from "../../../map/shown-part.ts"

export type Track = ResponseBody<"getTrack">["data"]

/** Days of the calendar, both included. */
export interface Days {
  date: string
  until?: string
}

/** The track of one day is as exact as the receiver. A track of many days is simplified for a map of all of it. */
export const wholeZoom = ({ until }: Days) => (until === undefined ? 14 : 10)

export function trackQuery(userId: string, days: Days, shown?: ShownPart) {
  return queryOptions({
    queryKey: ["track", userId, days, shown],
    queryFn: ({ signal }) => {
      const query = { ...days, ...(shown ?? { zoom: wholeZoom(days) }) }
      return dataOf(server.get("/api/v3/track/{userId}", { userId, query, signal }))
    },
  })
}

/** One point of a track: where, when (epoch milliseconds), and how far since the start in kilometres. */
export interface Vertex {
  lng: number
  lat: number
  time: number
  kilometers: number
}

const read = new WeakMap<Track, readonly Vertex[]>()

/** The same list for the same track, so that what is drawn from it is drawn once. */
export function verticesOf(track: Track): readonly Vertex[] {
  const known = read.get(track)
  if (known) return known
  const vertices = track.vertices.map(([lng, lat, time, , kilometers]) => ({
    lng: lng ?? 0,
    lat: lat ?? 0,
    time: time ?? 0,
    kilometers: kilometers ?? 0,
  }))
  read.set(track, vertices)
  return vertices
}

/** How many of the vertices were reached at a moment. They are in the order of time. */
export function reachedAt(vertices: readonly Vertex[], time: number): number {
  let [low, high] = [0, vertices.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((vertices[middle]?.time ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the person was at a moment: between two vertices as if at even speed. */
export function placeAt(vertices: readonly Vertex[], time: number): Vertex | undefined {
  const reached = reachedAt(vertices, time)
  const [before, after] = [vertices[reached - 1], vertices[reached]]
  if (!before || !after) return before ?? after
  const part = (time - before.time) / Math.max(1, after.time - before.time)
  const between = (from: number, to: number) => from + (to - from) * part
  return {
    lng: between(before.lng, after.lng),
    lat: between(before.lat, after.lat),
    time,
    kilometers: between(before.kilometers, after.kilometers),
  }
}

/** Colours that can be distinguished on both maps, one for each person. */
export const trackColors = ["#1f7a63", "#b4530a", "#3b5fc4", "#a3327f"] as const
