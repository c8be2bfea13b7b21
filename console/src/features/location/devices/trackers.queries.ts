import { queryOptions } from "@tanstack/react-query"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"

type Trackers = ResponseBody<"listTrackers">
export type Tracker = Trackers["data"][number]
export type UnknownTracker = ResponseBody<"listUnknownTrackers">["data"][number]
export type TrackerMessage = ResponseBody<"listTrackerMessages">["data"][number]
type NewTracker = RequestBody<"registerTracker">
export type Protocol = NewTracker["protocol"]

export const protocolTitles: Readonly<Record<Protocol, string>> = {
  teltonika: "Teltonika",
  gt06: "GT06 (Concox, Jimi)",
  h02: "H02 (Sinotrack)",
  tk103: "TK103",
  queclink: "Queclink",
  meitrack: "Meitrack",
}

const pollMilliseconds = 10_000

/** Read again while the page is open: devices report by themselves. */
export const trackersQuery = queryOptions({
  queryKey: ["trackers"],
  queryFn: ({ signal }) => server.get("/api/v3/trackers", { signal }),
  refetchInterval: pollMilliseconds,
})

export const unknownTrackersQuery = dataQuery(
  ["trackers", "unknown"],
  "/api/v3/unknown-trackers",
  {},
  { refetchInterval: pollMilliseconds },
)

export const trackerMessagesQuery = (trackerId: string) =>
  dataQuery(
    ["trackers", trackerId, "messages"],
    "/api/v3/tracker/{trackerId}/messages",
    { trackerId },
    { refetchInterval: pollMilliseconds, retry: false },
  )

export const registerTracker = (body: NewTracker) => server.post("/api/v3/tracker", { body })

export const changeTracker = (trackerId: string, { imei: _imei, ...body }: NewTracker) =>
  server.put("/api/v3/tracker/{trackerId}", { trackerId, body })

export const removeTracker = ({ _id: trackerId }: Tracker) =>
  server.delete("/api/v3/tracker/{trackerId}", { trackerId })
