import type { FlowComponent, FlowPage } from "../component.ts"

/** Components and pages of the default flows, with what most of them share. */

type More = Partial<FlowComponent>

export const input =
  (type: string) =>
  (id: string, title: string, more: More = {}) => ({
    id,
    component: "input",
    type,
    title,
    visible: true,
    required: false,
    ...more,
  })
export const text = input("String")
export const number = input("Numeric")
export const date = input("Date")
export const time = input("Time")
export const phone = input("PhoneNumber")
export const money = input("Currency")
export const address = (id: string, title = "Address") =>
  input("Address")(id, title, { required: true, showAs: "content", routeAs: "Address" })
/** A place that geocoding can find from the address when nobody gives it. */
export const place = (id: string, addressId: string) =>
  input("Geolocation")(id, "Coordinate", {
    showAs: "expectedCoordinate",
    routeAs: "Coordinate",
    useGeocode: true,
    geocodeAs: addressId,
  })
export const name = (id: string, title: string) =>
  text(id, title, { required: true, showAs: "title", routeAs: "VisitName" })

export const choice = (id: string, title: string, options: string[], more: More = {}) => ({
  id,
  component: "select",
  type: "dropdown",
  title,
  visible: true,
  options,
  min: 1,
  max: 1,
  ...more,
})
export const photos = (id: string, title: string, min: number, max: number, more: More = {}) => ({
  id,
  component: "photo",
  title,
  visible: true,
  min,
  max,
  watermark: true,
  ...more,
})
export const signature = (id: string, title: string) => ({
  id,
  component: "signature",
  title,
  visible: true,
  required: false,
})
export const items = (id: string, title: string, more: More = {}) => ({
  id,
  component: "list",
  type: "quantity",
  title,
  visible: true,
  addNew: false,
  ...more,
})

export const firstPage = (title: string, components: FlowComponent[]): FlowPage => ({
  id: "page0",
  title,
  enabled: true,
  components,
})
export const page = (index: number, title: string, components: FlowComponent[]): FlowPage => ({
  id: `page${index}`,
  title,
  components,
})
