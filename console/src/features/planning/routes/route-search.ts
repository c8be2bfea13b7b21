const views = ["map", "timeline", "table", "dropped", "actual", "versions", "comments"] as const
export type RouteView = (typeof views)[number]

export interface RouteSearch {
  view?: RouteView
}

export function readRouteSearch({ view }: Record<string, unknown>): RouteSearch {
  const known = views.find((one) => one === view)
  return known ? { view: known } : {}
}
