export { codeMakerOf } from "./code.ts"
export { lookUpCode } from "./code-lookup.ts"
export { type CustomerContact, contactOf, internationalNumber, isEmailAddress } from "./contact.ts"
export { trackingPageErrors } from "./errors.ts"
export { arrivalsOf } from "./estimate.ts"
export { trackingPageJobs } from "./jobs.ts"
export { escapeHtml, phoneHref, timesIn } from "./markup.ts"
export { newNonce, setPageHeaders } from "./page-headers.ts"
export { pageStyle } from "./page-style.ts"
export { type PublicPageHooks, publicPageRoutes } from "./public-routes.ts"
export { trackingPageRoutes } from "./routes.ts"
export { customerCaller, findSender, type Sender, timeZoneOfHub } from "./sender.ts"
export { shortLinkOf, trackingLinkOf } from "./short-link.ts"
export {
  chooseLanguage,
  directionOf,
  isPageLanguage,
  languageNames,
  type PageLanguage,
  pageLanguages,
  textsIn,
} from "./texts/texts.ts"
export { viewOf } from "./view.ts"
