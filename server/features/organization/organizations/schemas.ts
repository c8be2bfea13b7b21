import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

export const CountrySchema = Type.Union([
  Type.Object(
    {
      code: Type.String(),
      name: Type.String(),
      alpha2Code: Type.Optional(Type.String()),
      phoneCode: Type.Optional(Type.String()),
    },
    { additionalProperties: true },
  ),
  Type.Null(),
])

export const OrganizationSchema = Type.Object(
  {
    _id: IdSchema("organization"),
    user: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Data from onboarding; companyName is the organization's name",
      },
    ),
    status: Type.String(),
    verifiedTime: NullableText,
    productId: Type.String(),
    productName: Type.String(),
    curPeriodStartTime: NullableText,
    curPeriodEndTime: NullableText,
    eligible: Type.Boolean(),
    language: Type.String(),
    currency: Type.String({ description: "ISO 4217" }),
    timeZone: Type.String({ description: "IANA name" }),
    configuration: Type.Object({}, { additionalProperties: true }),
    customerId: Type.Object({ idr: Type.Null(), usd: Type.Null() }),
    country: CountrySchema,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Organization" },
)
