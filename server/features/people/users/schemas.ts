import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { languages, OrganizationSchema } from "../../organization/organizations/index.ts"
import { RoleSchema } from "../roles/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

/** In short: only id and name. */
const ListedOrganization = Type.Partial(
  Type.Object({ ...OrganizationSchema.properties, name: Type.String() }),
)

const common = {
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
  firstLogin: Type.Optional(Type.Boolean()),
  lastLogin: NullableText,
  passwordExpired: Type.Optional(Type.Boolean()),
  lockExpiry: Type.Optional(Type.String({ description: "Present while the account is locked" })),
  onboardingStep: Type.Array(Type.Unknown()),
  dynamicVisitTime: Type.Array(Type.Unknown()),
  isFieldUser: Type.Integer({ description: "1 for people who do tasks but do not plan them" }),
  activationCode: Type.Null(),
  personalToken: Type.Null(),
  isDeleted: Type.Boolean(),
  docId: Type.Optional(IdSchema("user")),
  createdTime: Type.String(),
  updatedTime: Type.String(),
}

export const UserSchema = Type.Object(
  { ...common, organization: Type.Optional(OrganizationSchema) },
  { title: "User" },
)

/** A user of a list: the role without its permissions and the organization in short, unless `fields` names them. */
export const ListedUserSchema = Type.Partial(
  Type.Object({ ...common, organization: Type.Optional(ListedOrganization) }),
)

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Email = Type.String({ format: "email", maxLength: 254 })
const Phone = Type.Union([Type.String({ maxLength: 40 }), Type.Null()])
const Hubs = Type.Array(IdSchema("hub"), { maxItems: 10_000 })
const Teams = Type.Array(IdSchema("team"), { maxItems: 10_000 })

export const NewUserBody = Type.Object(
  {
    name: Name,
    email: Email,
    roleId: IdSchema("role"),
    hubId: Hubs,
    teamId: Type.Optional(Teams),
    phoneNumber: Type.Optional(Phone),
    password: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
  },
  { title: "UserInput" },
)

const changes = {
  email: Type.Optional(Email),
  phoneNumber: Type.Optional(Phone),
  hubId: Type.Optional(Hubs),
  teamId: Type.Optional(Teams),
  roleId: Type.Optional(IdSchema("role")),
  status: Type.Optional(Type.String({ enum: ["active", "disabled"] })),
}
export const PutUserBody = Type.Object({ name: Name, ...changes })
export const PatchUserBody = Type.Object({ name: Type.Optional(Name), ...changes })

export const OwnUserBody = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  phoneNumber: Type.Optional(Phone),
  language: Type.Optional(Type.String({ enum: languages })),
  onboardingStep: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
  currentPassword: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: "Required for a change of e-mail some minutes after signing in",
    }),
  ),
})

/** Of one invitation. */
export const maxEmails = 100

export const InviteBody = Type.Object(
  {
    email: Type.Array(Email, { minItems: 1, maxItems: maxEmails }),
    roleId: IdSchema("role"),
    hubId: Type.Optional(Hubs),
    teamId: Type.Optional(Teams),
  },
  { title: "InvitationInput" },
)

export const InviteEachBody = Type.Required(Type.Pick(InviteBody, ["email", "roleId", "hubId"]))
