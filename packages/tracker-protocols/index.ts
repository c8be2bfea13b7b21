import { gt06 } from "./gt06/gt06.ts"
import { h02 } from "./h02.ts"
import { meitrack } from "./meitrack/meitrack.ts"
import { queclink } from "./queclink.ts"
import { teltonika } from "./teltonika/teltonika.ts"
import { tk103 } from "./tk103/tk103.ts"
import type { ProtocolName, TrackerProtocol } from "./tracker.ts"

export { newSession, readDatagram, TrackerStream } from "./stream.ts"
export {
  isDeviceNumber,
  known,
  type ProtocolName,
  protocolNames,
  type TrackerAlarm,
  type TrackerAttributes,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerPosition,
  type TrackerProtocol,
  type TrackerSession,
} from "./tracker.ts"

export const trackerProtocols: Readonly<Record<ProtocolName, TrackerProtocol>> = {
  teltonika,
  gt06,
  h02,
  tk103,
  queclink,
  meitrack,
}
