import { defineMessages } from "../../../i18n/messages.ts"

export const userMessages = defineMessages("people.user", {
  title: "People",
  count: "{count} person|{count} people",
  invite: "Invite several",
  add: "Add person",
  addTitle: "Add a person",
  search: "Name or e-mail",
  role: "Role",
  passwordHint: "At least 8 characters. Without one, the person is invited and stays pending.",
  lastLogin: "Last sign-in",
  allRoles: "All roles",
  teamsHint: "Team members see only their teammates and their work",
  noHub: "No hub yet",
  never: "Never",
  save: "Add person",
  saved: "{name} was added",
  invitationKept:
    "No mail server is configured, so the invitation was not sent. It waits under Settings, Outbox.",
  openOutbox: "Open the outbox",
  emptyTitle: "No matching people",
  emptyText:
    "Change the search, or add the people who do the work: they sign in on their phones and see their tasks.",
  needsHub: "Create a hub first: people belong to hubs.",
  inactive: "Not verified",
  pending: "Invited",
  disabled: "Disabled",
  reject: "Declined",
  owner: "Owner",
  admin: "Administrator",
  planner: "Planner",
  "field user": "Field user",
})
