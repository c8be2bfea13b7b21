import { createRoute } from "@tanstack/react-router"
import { readPeopleSearch } from "../features/people/users/people-search.ts"
import { readRecordSearch } from "../features/work/data-records/record-search.ts"
import { dataTypeReaders } from "../features/work/data-types/data-type-readers.ts"
import { readVehicleSearch } from "../features/work/vehicles/vehicle-search.ts"
import { paths } from "../paths.ts"
import { page, pageRoute } from "./signed-in.tsx"

const flows = pageRoute(paths.flows, () => import("../features/work/flows/FlowListPage.tsx"), "FlowListPage")
const flow = pageRoute(paths.flow, () => import("../features/work/flows/FlowPage.tsx"), "FlowPage")
const builder = () => import("../features/work/flows/builder/FlowBuilderPage.tsx")
const flowNew = pageRoute(paths.flowNew, builder, "FlowNewPage", "add/flow")
const flowEdit = pageRoute(paths.flowEdit, builder, "FlowEditPage", "edit/flow")
const data = pageRoute(
  paths.data,
  () => import("../features/work/data-types/DataTypeListPage.tsx"),
  "DataTypeListPage",
  ...dataTypeReaders,
)
const dataTypeNew = pageRoute(
  paths.dataTypeNew,
  () => import("../features/work/data-types/DataTypeBuilderPage.tsx"),
  "DataTypeNewPage",
  "add/dataType",
)
const dataTypeEdit = pageRoute(
  paths.dataTypeEdit,
  () => import("../features/work/data-types/DataTypeBuilderPage.tsx"),
  "DataTypeEditPage",
  "edit/dataType",
)
const dataType = createRoute({
  ...page(
    paths.dataType,
    () => import("../features/work/data-records/RecordGridPage.tsx"),
    "RecordGridPage",
    "view/data",
  ),
  validateSearch: readRecordSearch,
})
const vehicles = createRoute({
  ...page(
    paths.vehicles,
    () => import("../features/work/vehicles/VehicleListPage.tsx"),
    "VehicleListPage",
    "view/vehicle",
  ),
  validateSearch: readVehicleSearch,
})
const hubs = pageRoute(
  paths.hubs,
  () => import("../features/organization/hubs/HubListPage.tsx"),
  "HubListPage",
  "view/hub",
)
const people = createRoute({
  ...page(paths.people, () => import("../features/people/users/PeoplePage.tsx"), "PeoplePage", "view/user"),
  validateSearch: readPeopleSearch,
})

/** Set-up of the work: flows, data, vehicles, hubs, people. */
export const setUpPages = [
  flows,
  flow,
  flowNew,
  flowEdit,
  data,
  dataTypeNew,
  dataTypeEdit,
  dataType,
  vehicles,
  hubs,
  people,
] as const
