export { findProvider, listDirectoriesOf, listProviders, type Provider } from "./find-provider.ts"
export { type IntegrationRow, sealStoredIntegrations, secretPurpose } from "./queries.ts"
export { appIntegrationRoutes } from "./routes.ts"
export { addressesOf } from "./wire.ts"
