import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { OrganizationSchema } from "../organizations/index.ts"
import { RoleSchema } from "../roles/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const ShortOrganization = Type.Object({ _id: IdSchema("organization"), name: Type.String() })

export const UserSchema = Type.Object({
  _id: IdSchema("user"),
  name: Type.String(),
  email: Type.String(),
  phoneNumber: NullableText,
  avatar: NullableText,
  language: Type.String(),
  provider: Type.String(),
  status: Type.String({ description: "active, inactive, pending, disabled or reject" }),
  roleId: IdSchema("role"),
  role: Type.Optional(RoleSchema),
  hubId: Type.Array(IdSchema("hub")),
  teamId: Type.Array(IdSchema("team")),
  organizationId: IdSchema("organization"),
  organization: Type.Optional(Type.Union([OrganizationSchema, ShortOrganization])),
  firstLogin: Type.Optional(Type.Boolean()),
  lastLogin: NullableText,
  passwordExpired: Type.Optional(Type.Boolean()),
  onboardingStep: Type.Array(Type.Unknown()),
  dynamicVisitTime: Type.Array(Type.Unknown()),
  isFieldUser: Type.Integer({ description: "1 for people who do tasks and plan none" }),
  activationCode: Type.Null(),
  personalToken: Type.Null(),
  isDeleted: Type.Boolean(),
  createdTime: Type.String(),
  updatedTime: Type.String(),
})

export const NewUserBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  email: Type.String({ format: "email", maxLength: 254 }),
  roleId: IdSchema("role"),
  hubId: Type.Array(IdSchema("hub")),
  teamId: Type.Optional(Type.Array(IdSchema("team"))),
  phoneNumber: Type.Optional(NullableText),
  password: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
})
