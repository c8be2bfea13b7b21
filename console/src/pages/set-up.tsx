import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { readRecordSearch } from "../features/work/data-records/record-search.ts"
import { readVehicleSearch } from "../features/work/vehicles/vehicle-search.ts"
import { paths } from "../paths.ts"
import { page } from "./signed-in.tsx"

const flows = createRoute({
  ...page,
  path: paths.flows,
  component: lazyRouteComponent(() => import("../features/work/flows/FlowListPage.tsx"), "FlowListPage"),
})
const flow = createRoute({
  ...page,
  path: paths.flow,
  component: lazyRouteComponent(() => import("../features/work/flows/FlowPage.tsx"), "FlowPage"),
})
const builder = lazyRouteComponent(
  () => import("../features/work/flows/builder/FlowBuilderPage.tsx"),
  "FlowBuilderPage",
)
const flowNew = createRoute({ ...page, path: paths.flowNew, component: builder })
const flowEdit = createRoute({ ...page, path: paths.flowEdit, component: builder })
const data = createRoute({
  ...page,
  path: paths.data,
  component: lazyRouteComponent(
    () => import("../features/work/data-types/DataTypeListPage.tsx"),
    "DataTypeListPage",
  ),
})
const typeBuilder = () => import("../features/work/data-types/DataTypeBuilderPage.tsx")
const dataTypeNew = createRoute({
  ...page,
  path: paths.dataTypeNew,
  component: lazyRouteComponent(typeBuilder, "DataTypeNewPage"),
})
const dataTypeEdit = createRoute({
  ...page,
  path: paths.dataTypeEdit,
  component: lazyRouteComponent(typeBuilder, "DataTypeEditPage"),
})
const dataType = createRoute({
  ...page,
  path: paths.dataType,
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(
    () => import("../features/work/data-records/RecordGridPage.tsx"),
    "RecordGridPage",
  ),
})
const vehicles = createRoute({
  ...page,
  path: paths.vehicles,
  validateSearch: readVehicleSearch,
  component: lazyRouteComponent(
    () => import("../features/work/vehicles/VehicleListPage.tsx"),
    "VehicleListPage",
  ),
})
const hubs = createRoute({
  ...page,
  path: paths.hubs,
  component: lazyRouteComponent(() => import("../features/organization/hubs/HubListPage.tsx"), "HubListPage"),
})
const people = createRoute({
  ...page,
  path: paths.people,
  component: lazyRouteComponent(() => import("../features/people/users/PeoplePage.tsx"), "PeoplePage"),
})

/** What work is made of: flows, data, vehicles, hubs, people. */
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
