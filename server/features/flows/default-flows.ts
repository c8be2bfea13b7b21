import { json, type Tx } from "#core/database.ts"
import { newId } from "#core/ids.ts"
import type { FlowPage } from "./component.ts"

interface DefaultFlow {
  name: string
  pages: FlowPage[]
}

export const defaultConfigurations = [
  { id: "startTime", adjustment: 0 },
  { id: "endTime", adjustment: 24 },
]

const text = (id: string, title: string, more: Record<string, unknown> = {}) => ({
  id,
  component: "input",
  type: "String",
  title,
  visible: true,
  required: false,
  ...more,
})

/** Flows that a new organization starts with; they can be changed like any other. */
export const defaultFlows: readonly DefaultFlow[] = [
  {
    name: "Delivery",
    pages: [
      {
        id: "page0",
        title: "Delivery",
        enabled: true,
        components: [
          text("receiverName", "Receiver name", { required: true, showAs: "title", routeAs: "VisitName" }),
          text("deliveryAddress", "Address", { type: "Address", showAs: "content", routeAs: "Address" }),
          text("deliveryPoint", "Coordinate", {
            type: "Geolocation",
            showAs: "expectedCoordinate",
            routeAs: "Coordinate",
          }),
          text("receiverPhone", "Phone number", { type: "PhoneNumber" }),
          text("parcelType", "Parcel type", { showAs: "label" }),
          text("weight", "Weight", { type: "Numeric", routeAs: "Constraint.weight" }),
          text("note", "Note"),
        ],
      },
      {
        id: "page1",
        title: "Proof of delivery",
        components: [
          text("receivedBy", "Received by"),
          { id: "proofPhoto", component: "photo", title: "Photo", visible: true, min: 0, max: 4 },
          {
            id: "receiverSignature",
            component: "signature",
            title: "Signature",
            visible: true,
            required: false,
          },
        ],
      },
    ],
  },
]

export async function insertDefaultFlows(
  tx: Tx,
  owner: { organizationId: string; createdBy: string },
): Promise<void> {
  for (const [index, flow] of defaultFlows.entries()) {
    await tx`
      insert into flows (organization_id, id, name, pages, configurations, is_default, order_index, created_by)
      values (${owner.organizationId}, ${newId()}, ${flow.name}, ${json(tx, flow.pages)}, ${json(tx, defaultConfigurations)},
        true, ${index + 1}, ${owner.createdBy})`
  }
}
