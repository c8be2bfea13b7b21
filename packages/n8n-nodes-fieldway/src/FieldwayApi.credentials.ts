import type { CredentialProperties } from "./n8n.ts"

const address = "={{$credentials.address.replace(/\\/$/, '')}}"

/** An address and a personal access token. */
export class FieldwayApi implements CredentialProperties {
  name = "fieldwayApi"
  displayName = "Fieldway API"
  documentationUrl = "https://github.com/fieldway/fieldway"
  properties = [
    {
      displayName: "Address",
      name: "address",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://fieldway.example",
    },
    {
      displayName: "Access Token",
      name: "token",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "A personal access token: Settings › Access tokens",
    },
  ] as const
  authenticate = {
    type: "generic" as const,
    properties: { headers: { Authorization: "=Bearer {{$credentials.token}}" } },
  }
  test = { request: { baseURL: address, url: "/api/v3/user" } }
}
