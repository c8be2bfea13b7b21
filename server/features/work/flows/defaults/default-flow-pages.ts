import type { OutcomeRule } from "#shared/task-outcomes.ts"
import type { FlowPage } from "../component.ts"
import {
  address,
  choice,
  date,
  firstPage,
  input,
  items,
  money,
  name,
  number,
  page,
  phone,
  photos,
  place,
  signature,
  text,
  time,
} from "./flow-parts.ts"

interface DefaultFlow {
  name: string
  pages: FlowPage[]
  /** What the field app offers besides done. */
  outcomes?: readonly Partial<OutcomeRule>[]
}

const skipped = {
  outcome: "skipped",
  reasons: ["Closed right now", "Road closed", "Not enough time"],
} as const

const pickup: DefaultFlow = {
  name: "Pickup",
  outcomes: [
    { outcome: "partial", reasons: ["Not all ready", "No room in the vehicle"], reasonRequired: true },
    {
      outcome: "failed",
      reasons: ["Nobody there", "Not ready", "Refused", "Wrong address"],
      reasonRequired: true,
      nextAttempt: "ask",
    },
    skipped,
  ],
  pages: [
    firstPage("Pickup", [
      name("senderName", "Sender name"),
      address("pickupAddress"),
      place("pickupPoint", "pickupAddress"),
      phone("senderPhone", "Phone number"),
      time("openTime", "Open from", { routeAs: "OpenTime" }),
      time("closeTime", "Open until", { routeAs: "CloseTime" }),
      choice("parcelType", "Parcel type", ["Document", "Parcel", "Pallet"], { showAs: "label" }),
      number("weight", "Weight (kg)", { routeAs: "Constraint.weight" }),
      number("volume", "Volume (m3)", { routeAs: "Constraint.volume" }),
      items("parcels", "Parcels to pick up"),
      text("note", "Note"),
    ]),
    page(1, "Parcels", [items("parcelsPickedUp", "Parcels picked up", { value: "$parcels" })]),
    page(2, "Proof of pickup", [
      text("handedOverBy", "Handed over by"),
      photos("pickupPhoto", "Photo", 1, 4),
      signature("senderSignature", "Signature of the sender"),
    ]),
  ],
}

const delivery: DefaultFlow = {
  name: "Delivery",
  outcomes: [
    {
      outcome: "partial",
      reasons: ["Items missing", "Items damaged", "Items refused"],
      reasonRequired: true,
    },
    {
      outcome: "failed",
      reasons: ["Nobody home", "Refused", "Wrong address", "Place closed"],
      reasonRequired: true,
      nextAttempt: "ask",
    },
    { outcome: "returned", reasons: ["Refused", "Damaged"], reasonRequired: true },
    skipped,
  ],
  pages: [
    firstPage("Delivery", [
      text("receiverName", "Receiver name", { required: true, showAs: "title", routeAs: "VisitName" }),
      input("Address")("deliveryAddress", "Address", { showAs: "content", routeAs: "Address" }),
      place("deliveryPoint", "deliveryAddress"),
      phone("receiverPhone", "Phone number"),
      text("parcelType", "Parcel type", { showAs: "label" }),
      time("openTime", "Open from", { routeAs: "OpenTime" }),
      time("closeTime", "Open until", { routeAs: "CloseTime" }),
      number("visitDuration", "Minutes at the door", { routeAs: "VisitDuration", default: 5 }),
      number("weight", "Weight", { routeAs: "Constraint.weight" }),
      number("volume", "Volume (m3)", { routeAs: "Constraint.volume" }),
      money("cashOnDelivery", "Cash on delivery"),
      text("note", "Note"),
    ]),
    page(1, "Proof of delivery", [
      choice("deliveryResult", "Result", ["Delivered", "Delivered to a neighbour"], { min: 0 }),
      text("receivedBy", "Received by"),
      money("cashReceived", "Cash received"),
      photos("proofPhoto", "Photo", 0, 4),
      signature("receiverSignature", "Signature"),
    ]),
  ],
}

const fieldSales: DefaultFlow = {
  name: "Field Sales",
  pages: [
    firstPage("Visit", [
      name("outletName", "Outlet"),
      address("outletAddress"),
      place("outletPoint", "outletAddress"),
      text("contactPerson", "Contact person"),
      phone("contactPhone", "Phone number"),
      choice("outletType", "Kind of outlet", ["Shop", "Supermarket", "Wholesale", "Restaurant", "Other"], {
        showAs: "label",
      }),
      text("purpose", "Purpose of the visit"),
    ]),
    page(1, "In the outlet", [
      photos("shelfPhoto", "Shelf", 1, 6, { categories: ["Before", "After"] }),
      choice("stockLevel", "Stock", ["Enough", "Low", "None"]),
      choice("displayChecks", "Display", ["Price tags", "Promotion", "Own shelf", "Clean"], {
        min: 0,
        max: 4,
      }),
      text("competitors", "Competing products"),
    ]),
    page(2, "Order", [
      {
        id: "order",
        component: "bill",
        title: "Order",
        visible: true,
        required: false,
        addNew: true,
        masterItems: [],
        masterCosts: [
          { name: "Discount", type: "discount", amount: 0 },
          { name: "Delivery", type: "cost", amount: 0 },
        ],
        costs: ["Discount", "Delivery"],
      },
    ]),
    page(3, "Result", [
      choice("visitResult", "Result", ["Ordered", "Interested", "Call back", "Not interested"], {
        onSelect: [{ options: ["Call back"], action: "fill", componentAffected: ["callBackOn"] }],
      }),
      date("callBackOn", "Call back on", { visible: false, required: true }),
      text("visitNote", "Note"),
      signature("customerSignature", "Signature of the customer"),
    ]),
  ],
}

const fieldCanvassing: DefaultFlow = {
  name: "Field Canvassing",
  pages: [
    firstPage("Area", [
      name("areaName", "Area or street"),
      address("areaAddress", "Where to start"),
      place("areaPoint", "areaAddress"),
      text("campaign", "Campaign", { showAs: "label" }),
      number("targetCount", "Contacts to make"),
      text("briefing", "Briefing"),
    ]),
    page(1, "Prospect", [
      text("prospectName", "Name", { required: true }),
      phone("prospectPhone", "Phone number"),
      text("prospectAddress", "Address"),
      input("Geolocation")("prospectPoint", "Coordinate"),
      choice("interest", "Interest", ["Strong", "Some", "None", "Nobody there"], {
        onSelect: [
          { options: ["Strong", "Some"], action: "fill", componentAffected: ["product", "followUpOn"] },
        ],
      }),
      choice("product", "Interested in", ["Trial", "Subscription", "Purchase", "Information"], {
        visible: false,
        max: 4,
      }),
      date("followUpOn", "Follow up on", { visible: false }),
      text("prospectNote", "Note"),
    ]),
    page(2, "Proof of visit", [photos("visitPhoto", "Photo", 1, 3)]),
  ],
}

const homeCleaning: DefaultFlow = {
  name: "Home Cleaning",
  pages: [
    firstPage("Booking", [
      name("customerName", "Customer"),
      address("homeAddress"),
      place("homePoint", "homeAddress"),
      phone("customerPhone", "Phone number"),
      choice("service", "Service", ["Regular", "Deep cleaning", "Move out", "Windows"], { showAs: "label" }),
      number("rooms", "Rooms"),
      number("visitDuration", "Minutes planned", { routeAs: "VisitDuration", default: 120 }),
      text("access", "How to get in"),
      text("note", "Requests"),
    ]),
    page(1, "Before", [photos("beforePhoto", "Before cleaning", 1, 6), text("damages", "Damages found")]),
    page(2, "Cleaning", [
      {
        id: "workTime",
        component: "timer",
        title: "Time worked",
        visible: true,
        autoStart: true,
        reset: false,
        unpausable: false,
      },
      choice(
        "areasDone",
        "Done",
        ["Kitchen", "Bathroom", "Living room", "Bedrooms", "Floors", "Windows", "Waste"],
        { max: 7 },
      ),
    ]),
    page(3, "After", [
      photos("afterPhoto", "After cleaning", 1, 6),
      choice("satisfaction", "How satisfied is the customer", ["Very", "Mostly", "Not", "Was not there"]),
      text("remark", "Remark"),
      signature("customerSignature", "Signature of the customer"),
    ]),
  ],
}

const condition = (id: string, title: string) => choice(id, title, ["Good", "Worn", "Damaged", "Not present"])

const houseInspection: DefaultFlow = {
  name: "House Inspection",
  pages: [
    firstPage("Property", [
      name("propertyName", "Property"),
      address("propertyAddress"),
      place("propertyPoint", "propertyAddress"),
      text("contactPerson", "Contact person"),
      phone("contactPhone", "Phone number"),
      choice("inspectionKind", "Kind of inspection", ["Move in", "Move out", "Regular", "Damage"], {
        showAs: "label",
      }),
      text("briefing", "What to look at"),
    ]),
    page(1, "Outside", [
      condition("roof", "Roof and gutters"),
      condition("walls", "Walls"),
      condition("windowsDoors", "Windows and doors"),
      photos("outsidePhoto", "Outside", 1, 8, { categories: ["Front", "Back", "Side", "Roof"] }),
    ]),
    page(2, "Inside", [
      condition("floors", "Floors"),
      condition("kitchen", "Kitchen"),
      condition("bathroom", "Bathroom"),
      condition("heating", "Heating"),
      condition("electricity", "Electricity"),
      photos("insidePhoto", "Inside", 1, 20, { categories: ["Kitchen", "Bathroom", "Living", "Other"] }),
    ]),
    page(3, "Meters", [
      number("waterMeter", "Water meter"),
      number("electricityMeter", "Electricity meter"),
      number("gasMeter", "Gas meter"),
      photos("meterPhoto", "Meters", 0, 4),
    ]),
    page(4, "Findings", [
      choice("overall", "Overall", ["Good", "Small repairs", "Large repairs", "Not habitable"], {
        onSelect: [
          {
            options: ["Small repairs", "Large repairs", "Not habitable"],
            action: "fill",
            componentAffected: ["repairs"],
          },
        ],
      }),
      text("repairs", "Repairs needed", { visible: false, required: true }),
      {
        id: "remarkVoice",
        component: "voice",
        title: "Spoken remark",
        visible: true,
        required: false,
        maxDuration: 5,
      },
      signature("inspectorSignature", "Signature of the inspector"),
      signature("contactSignature", "Signature of the contact person"),
    ]),
  ],
}

export const defaultFlows: readonly DefaultFlow[] = [
  pickup,
  delivery,
  fieldSales,
  fieldCanvassing,
  homeCleaning,
  houseInspection,
]
