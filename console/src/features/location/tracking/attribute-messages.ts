import { defineMessages } from "../../../i18n/messages.ts"

/** What a GPS tracker reports, and its alarms. */
export const attributeMessages = defineMessages("location.attribute", {
  ignition: "Ignition",
  on: "on",
  off: "off",
  fuel: "Fuel",
  odometer: "Odometer",
  batteryVolts: "Tracker battery",
  externalVolts: "Vehicle battery",
  alarm: "Alarm",
  sos: "SOS",
  "power-cut": "power cut",
  "low-battery": "low battery",
  vibration: "vibration",
  movement: "movement",
  overspeed: "too fast",
  "geofence-enter": "area entered",
  "geofence-exit": "area left",
  tow: "towed",
  crash: "crash",
  jamming: "jamming",
  tamper: "tampering",
  door: "door",
  "harsh-acceleration": "harsh acceleration",
  "harsh-braking": "harsh braking",
  "harsh-cornering": "harsh cornering",
})
