import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { CountrySchema } from "../organizations/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

export const HubSchema = Type.Object(
  {
    _id: IdSchema("hub"),
    name: Type.String(),
    address: Type.String(),
    lat: Type.Number(),
    lng: Type.Number(),
    country: CountrySchema,
    countryCode: NullableText,
    timeZone: NullableText,
    organizationId: IdSchema("organization"),
    deleteAccess: Type.Boolean({ description: "Whether the caller may delete the hub now" }),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Hub" },
)

export const HubBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    address: Type.String({ minLength: 1, maxLength: 1000 }),
    lat: Type.Number({ description: "Degrees; numeric text is accepted" }),
    lng: Type.Number({ description: "Degrees; numeric text is accepted" }),
    countryCode: Type.Optional(Type.Union([Type.String({ pattern: "^[A-Za-z]{3}$" }), Type.Null()])),
    timeZone: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { title: "HubInput" },
)

/** The hub that an organization starts with, as onboarding asks for it. */
export const NewHub = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  displayName: Type.Optional(Type.String({ maxLength: 200 })),
  address: Type.String({ minLength: 1, maxLength: 1000 }),
  lat: Type.Number(),
  lng: Type.Number(),
})
