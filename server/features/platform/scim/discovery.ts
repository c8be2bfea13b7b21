import { schemas } from "./resources.ts"

export const limits = { page: 200, defaultPage: 100, bulkOperations: 100, bulkBytes: 1024 * 1024 }

const core = "urn:ietf:params:scim:schemas:core:2.0"

export const serviceProviderConfig = (baseUrl: string) => ({
  schemas: [`${core}:ServiceProviderConfig`],
  documentationUri: baseUrl.replace(/\/scim\/v2$/, "/docs"),
  patch: { supported: true },
  bulk: { supported: true, maxOperations: limits.bulkOperations, maxPayloadSize: limits.bulkBytes },
  filter: { supported: true, maxResults: limits.page },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  // RFC 9865.
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: "index",
    defaultPageSize: limits.defaultPage,
    maxPageSize: limits.page,
  },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token of a directory, created under Integrations",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
})

export const resourceTypes = (baseUrl: string) =>
  [
    { id: "User", description: "A member", schema: schemas.user, extension: schemas.userHubs },
    { id: "Group", description: "A team or role", schema: schemas.group, extension: schemas.groupHub },
  ].map(({ id, description, schema, extension }) => ({
    schemas: [`${core}:ResourceType`],
    id,
    name: id,
    description,
    endpoint: `/${id}s`,
    schema,
    schemaExtensions: [{ schema: extension, required: false }],
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${id}` },
  }))

interface Attribute {
  name: string
  type: string
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: string
  returned: string
  uniqueness: string
  referenceTypes?: string[]
  subAttributes?: Attribute[]
}

function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: more.subAttributes ? "complex" : "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...more,
  }
}

const readOnly = { mutability: "readOnly" } as const
const parts = {
  value: attribute("value", "The value or id"),
  display: attribute("display", "Its name", readOnly),
  type: attribute("type", "Its kind", readOnly),
  primary: attribute("primary", "Whether it is the main one", { type: "boolean", ...readOnly }),
}

const list = (
  name: string,
  description: string,
  subAttributes: Attribute[],
  mutability: Attribute["mutability"] = "readWrite",
) => attribute(name, description, { multiValued: true, subAttributes, mutability })

/** The elements of a list of resources. */
const references = (resource: string, mutability: Attribute["mutability"]): Attribute[] => [
  { ...parts.value, mutability },
  attribute("$ref", "Its address", {
    type: "reference",
    referenceTypes: [resource],
    caseExact: true,
    mutability,
  }),
  parts.display,
  { ...parts.type, mutability },
]

const attributes: Record<string, Attribute[]> = {
  [schemas.user]: [
    attribute("userName", "E-mail address", { required: true, uniqueness: "server" }),
    attribute("name", "Name", {
      subAttributes: ["formatted", "givenName", "familyName"].map((name) => attribute(name, "Name")),
    }),
    attribute("displayName", "Name"),
    attribute("active", "False: the person cannot sign in", { type: "boolean" }),
    attribute("preferredLanguage", "Language", readOnly),
    list("emails", "The e-mail address", [parts.value, parts.type, parts.primary], "readOnly"),
    list("phoneNumbers", "The phone number", [parts.value, parts.type, parts.primary]),
    list("roles", "The role, by id or name. A person has one", [parts.value, parts.display, parts.primary]),
    list("groups", "Role and teams", references("Group", "readOnly"), "readOnly"),
  ],
  [schemas.group]: [
    attribute("displayName", "Name of the team or role", { required: true }),
    list("members", "People in the team, or with the role", references("User", "immutable")),
  ],
  [schemas.userHubs]: [
    list("hubs", "Ids of the person's hubs", [parts.value]),
    attribute("status", "active, pending, inactive, disabled or reject", readOnly),
  ],
  [schemas.groupHub]: [
    attribute("type", "team or role", readOnly),
    attribute("hub", "Id of the team's hub"),
    attribute("isReadOnly", "True for the role of owners", { type: "boolean", ...readOnly }),
  ],
}

export const schemaResources = (baseUrl: string) =>
  Object.entries(attributes).map(([id, held]) => ({
    schemas: [`${core}:Schema`],
    id,
    name: id.split(":").at(-1),
    description: id,
    attributes: held,
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  }))
