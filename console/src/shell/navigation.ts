import {
  type Icon,
  IconAlertTriangle,
  IconBolt,
  IconBuildingWarehouse,
  IconCalendarRepeat,
  IconChartBar,
  IconDatabase,
  IconFileDownload,
  IconFileUpload,
  IconHistory,
  IconListCheck,
  IconLiveView,
  IconPlugConnected,
  IconPuzzle,
  IconRoute,
  IconRoute2,
  IconSettings,
  IconSun,
  IconTimeline,
  IconTool,
  IconTruck,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react"
import type { Translate } from "../i18n/messages.ts"
import { paths } from "../paths.ts"
import type { Session } from "../session/session.ts"
import type { shellMessages } from "./messages.ts"

type MessageKey = Parameters<Translate<typeof shellMessages>>[0]

interface NavigationEntry {
  to: string
  label: MessageKey
  icon: Icon
  /** Opens the page after G. */
  key?: string
  isOffered(session: Session): boolean
}

/** The pages in the order of the sidebar. What a role cannot open is not offered. */
export const navigation: readonly { label: MessageKey; entries: readonly NavigationEntry[] }[] = [
  {
    label: "groupWork",
    entries: [
      { to: paths.today, label: "today", key: "h", icon: IconSun, isOffered: ({ may }) => may("view/task") },
      {
        to: paths.dispatch,
        label: "dispatch",
        key: "k",
        icon: IconTimeline,
        isOffered: ({ may }) => may("assign/task") && may("view/task"),
      },
      {
        to: paths.tasks,
        label: "tasks",
        key: "t",
        icon: IconListCheck,
        isOffered: ({ may }) => may("view/task"),
      },
      {
        to: paths.tracking,
        label: "tracking",
        key: "m",
        icon: IconLiveView,
        isOffered: ({ may }) => may("view/tracking"),
      },
      {
        to: paths.alerts,
        label: "alerts",
        icon: IconAlertTriangle,
        isOffered: ({ may }) => may("view/tracking"),
      },
      {
        to: paths.routes,
        label: "routes",
        key: "r",
        icon: IconRoute,
        isOffered: ({ may }) => may("view/result"),
      },
      {
        to: paths.fleet,
        label: "fleet",
        icon: IconTool,
        isOffered: ({ may }) => may("view/vehicle"),
      },
      {
        to: paths.reports,
        label: "reports",
        key: "o",
        icon: IconChartBar,
        isOffered: ({ may }) => may("view/dashboard"),
      },
      {
        to: paths.schedules,
        label: "schedules",
        key: "s",
        icon: IconCalendarRepeat,
        isOffered: ({ may }) => may("view/schedule"),
      },
    ],
  },
  {
    label: "groupSetup",
    entries: [
      {
        to: paths.flows,
        label: "flows",
        key: "f",
        icon: IconRoute2,
        isOffered: ({ mayAny }) => mayAny("view/flow", "add/task"),
      },
      {
        to: paths.data,
        label: "data",
        key: "d",
        icon: IconDatabase,
        isOffered: ({ mayAny }) => mayAny("view/dataType", "add/task", "do/task"),
      },
      {
        to: paths.vehicles,
        label: "vehicles",
        key: "v",
        icon: IconTruck,
        isOffered: ({ may }) => may("view/vehicle"),
      },
      {
        to: paths.hubs,
        label: "hubs",
        key: "b",
        icon: IconBuildingWarehouse,
        isOffered: ({ may }) => may("view/hub"),
      },
      {
        to: paths.people,
        label: "people",
        key: "p",
        icon: IconUsers,
        isOffered: ({ may }) => may("view/user"),
      },
      {
        to: paths.activity,
        label: "activity",
        key: "y",
        icon: IconHistory,
        isOffered: ({ mayAny }) =>
          mayAny(
            "add/task",
            "edit/task",
            "assign/task",
            "edit/data",
            "edit/vehicle",
            "edit/hub",
            "edit/flow",
          ),
      },
      {
        to: paths.settings,
        label: "settings",
        icon: IconSettings,
        isOffered: ({ mayAny }) => mayAny("view/role", "view/team", "view/organization", "view/trash"),
      },
    ],
  },
  {
    label: "groupConnect",
    entries: [
      {
        to: paths.automations,
        label: "automations",
        key: "a",
        icon: IconBolt,
        isOffered: ({ may }) => may("view/automation"),
      },
      {
        to: paths.webhooks,
        label: "webhooks",
        icon: IconWebhook,
        isOffered: ({ may }) => may("view/automation"),
      },
      {
        to: paths.plugins,
        label: "plugins",
        icon: IconPuzzle,
        isOffered: ({ may }) => may("edit/organization"),
      },
      {
        to: paths.integrations,
        label: "integrations",
        icon: IconPlugConnected,
        isOffered: ({ mayAny }) => mayAny("view/integration", "edit/organization"),
      },
    ],
  },
  {
    label: "groupFiles",
    entries: [
      {
        to: paths.imports,
        label: "imports",
        key: "i",
        icon: IconFileUpload,
        isOffered: ({ may }) => may("import/data"),
      },
      {
        to: paths.exports,
        label: "exports",
        key: "e",
        icon: IconFileDownload,
        isOffered: ({ mayAny }) => mayAny("export/task", "view/data"),
      },
    ],
  },
]
