import type { OpenApiTexts } from "./core/http/openapi/openapi.ts"
import { describeWebhooks } from "./features/extensions/automations/index.ts"
import { requestExamples } from "./openapi-examples.ts"

const tags: Record<string, string> = {
  Activities: "Groups of tasks that are worked on together.",
  Alerts: "What rules found about people, vehicles and tasks, and the rules.",
  "App integrations": "Identity providers and message senders that the organization connects.",
  Automations:
    "Actions that follow events: webhooks, new and moved tasks, messages; their deliveries and log.",
  "Capacity constraints": "What vehicles can carry, such as weight and volume.",
  Console: "What the web console needs before anyone signs in.",
  Currency: "Currencies with their symbols.",
  "Custom modules": "Tools of the organization's own inside the console.",
  "Customer feedback": "Ratings of tasks and replies to messages.",
  "Customer messages": "Channels, templates and the log of messages to customers.",
  Dashboard: "Counts for the start page.",
  Dispatch: "What the screen of a dispatcher reads: a day, travel times, suggestions.",
  Data: "Records of the organization's data types.",
  "Data types": "Kinds of records and their fields.",
  Devices: "Trackers and phones that send positions with a key of their own.",
  Events: "The live event stream and the feed of past events.",
  "Export configurations": "Saved selections of columns and filters for exports.",
  Exports: "Tasks and records as XLSX, CSV, JSON or GeoJSON.",
  Files: "Photos, signatures and other stored files.",
  Flows: "Templates of tasks: pages, components and their versions.",
  Geofences: "Areas that people enter and leave: polygons, circles and corridors.",
  Hubs: "Depots and working areas: the parents of tasks, people and vehicles.",
  Imports: "Spreadsheets that become tasks, visits, routes or records.",
  Jobs: "Background work that failed for the last time.",
  Locations: "Positions, trips, tracks and shared links.",
  Maps: "Street maps of the installation, built from OpenStreetMap extracts.",
  Messages: "Messages between people in the field and their planners, about tasks and with people.",
  Notices: "The inbox of people in the field, and push messages to their browsers.",
  "Organization data": "Free key and value pairs of the organization.",
  Organization: "The organization's settings, its archive and further organizations.",
  "Password policies": "How long and complex passwords are, and when they expire.",
  Places: "Addresses and places of the installed maps: search and reverse geocoding like Nominatim's.",
  Plugins: "Extensions of the console.",
  "Appointment slots": "Windows of the coming days that fit a visit, held and booked.",
  Roads: "An HTTP API like OSRM's, from the roads of the installed maps.",
  Roles: "Named sets of permissions.",
  Insight: "Reports of what happened: figures by group, their targets and costs.",
  "Route configurations": "Default settings of route planning per hub.",
  Routes: "Plans: visits assigned to vehicles, adjusted, dispatched and compared with what happened.",
  "Single sign-on": "Sign-in through a company directory (SAML) or an OpenID Connect provider.",
  "Sign-in": "Sessions, passwords, second factors and single sign-on.",
  "Request forms": "Public forms on which customers ask for tasks, and the decisions about their requests.",
  "Tracking pages": "What customers see of a task: settings and links.",
  "Service reports": "Reports of finished tasks as PDF.",
  "Task schedules": "Tasks that repeat.",
  Calendars: "Feeds for calendar programs.",
  Tasks: "Work in the field, from creation to completion.",
  Teams: "Groups of people within a hub.",
  Templates: "Texts with placeholders.",
  Tokens: "Personal access tokens.",
  Trash: "Deleted objects and how to restore them.",
  Users: "Members of the organization, invitations and one's own profile.",
  Vehicles: "Vehicles, their capacities and working hours.",
  "Vehicles and equipment":
    "Meters, maintenance and inspections of vehicles, equipment at customers, and parts in stock.",
  Versions: "Releases of mobile apps.",
  Workflows: "Chains of flows: finishing one task creates the next.",
}

/** What the OpenAPI document says beside the routes. */
export function openApiTexts(): OpenApiTexts {
  return {
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    webhooks: describeWebhooks(),
    examples: requestExamples,
  }
}
