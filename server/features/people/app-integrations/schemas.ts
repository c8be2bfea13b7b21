import { type TSchema, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { ProvisioningSchema } from "./provisioning.ts"

export const integrationTypes = ["azure", "oidc"] as const
export type IntegrationType = (typeof integrationTypes)[number]

export const IntegrationSchema = Type.Object(
  {
    _id: IdSchema("app-integration"),
    integrationType: Type.String({ description: "azure: SAML 2.0; oidc: OpenID Connect" }),
    name: Type.Union([Type.String(), Type.Null()], { description: "Shown on the sign-in page" }),
    emailDomains: Type.Array(Type.String(), {
      description: "The sign-in page offers the provider to addresses in these domains",
    }),
    azureAuthUrl: Type.Optional(Type.String({ description: "SAML: sign-in URL of the identity provider" })),
    azureCert: Type.Optional(Type.String({ description: "SAML: URL of the stored certificate" })),
    issuerUrl: Type.Optional(Type.String({ description: "OpenID Connect: the provider's issuer" })),
    clientId: Type.Optional(Type.String()),
    clientSecret: Type.Optional(
      Type.String({ description: "Masked; sending the masked value keeps the secret" }),
    ),
    trustEmail: Type.Optional(
      Type.Boolean({
        description: "Accept e-mail addresses that the provider does not mark as verified",
      }),
    ),
    callbackUrl: Type.String({ description: "Reply (callback) URL to enter at the provider" }),
    entityId: Type.Optional(
      Type.String({ description: "SAML: identifier (entity ID) to enter at the provider" }),
    ),
    signInUrl: Type.String({ description: "URL that starts a sign-in with this provider" }),
    provisioning: Type.Union([ProvisioningSchema, Type.Null()], {
      description: "Null: only existing members sign in, and groups are not read",
    }),
    organizationId: IdSchema("organization"),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "AppIntegration" },
)

export const integrationResponse = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal(true), code: Type.Integer(), message: Type.String(), data })
