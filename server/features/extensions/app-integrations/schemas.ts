import { type TSchema, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

export const integrationTypes = ["azure", "oidc"] as const
export type IntegrationType = (typeof integrationTypes)[number]

export const IntegrationSchema = Type.Object(
  {
    _id: IdSchema("app-integration"),
    integrationType: Type.String({ description: "azure: SAML 2.0; oidc: OpenID Connect" }),
    name: Type.Union([Type.String(), Type.Null()], { description: "As the sign-in page shows it" }),
    emailDomains: Type.Array(Type.String(), { description: "Whose addresses the sign-in page offers it to" }),
    azureAuthUrl: Type.Optional(Type.String({ description: "SAML: sign-in address of the directory" })),
    azureCert: Type.Optional(Type.String({ description: "SAML: address of the stored certificate" })),
    issuerUrl: Type.Optional(Type.String({ description: "OpenID Connect: the provider's issuer" })),
    clientId: Type.Optional(Type.String()),
    clientSecret: Type.Optional(
      Type.String({ description: "Masked; a write that carries the mask keeps it" }),
    ),
    trustEmail: Type.Optional(
      Type.Boolean({
        description: "Take e-mails of which the provider does not say whether they are verified",
      }),
    ),
    callbackUrl: Type.String({ description: "Reply address to enter at the provider" }),
    entityId: Type.Optional(Type.String({ description: "SAML: identifier (entity ID) to enter there" })),
    signInUrl: Type.String({ description: "Starts a sign-in with it" }),
    organizationId: IdSchema("organization"),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "AppIntegration" },
)

export const integrationAnswer = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal(true), code: Type.Integer(), message: Type.String(), data })
