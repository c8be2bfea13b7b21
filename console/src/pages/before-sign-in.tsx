import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { paths } from "../paths.ts"
import { root } from "./root.tsx"

interface SignInSearch {
  next?: string
  /** Why a provider's sign-in did not work. */
  sso?: string
  /** A provider's sign-in that still wants a code. */
  challenge?: string
  /** The organization whose providers are offered immediately, for links to its members. */
  organization?: string
}
const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: ({ next, sso, challenge, organization }): SignInSearch => ({
    // Only addresses of our own: anything else would let a link send people away after they signed in.
    ...(typeof next === "string" && /^\/(?![/\\])/.test(next) ? { next } : {}),
    ...(typeof sso === "string" ? { sso } : {}),
    ...(typeof challenge === "string" ? { challenge } : {}),
    ...(typeof organization === "string" ? { organization } : {}),
  }),
  component: lazyRouteComponent(() => import("../features/people/sessions/SignInPage.tsx"), "SignInPage"),
})
/** A text of the address, as links in mails carry them; digits alone arrive as a number. */
const readText = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && text !== "" ? text : undefined
}
const register = createRoute({
  getParentRoute: () => root,
  path: paths.register,
  component: lazyRouteComponent(
    () => import("../features/organization/onboarding/RegisterPage.tsx"),
    "RegisterPage",
  ),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: paths.verify,
  validateSearch: (search): { email?: string | undefined; code?: string | undefined } => ({
    email: readText(search.email),
    code: readText(search.code),
  }),
  component: lazyRouteComponent(
    () => import("../features/organization/onboarding/VerifyPage.tsx"),
    "VerifyPage",
  ),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: paths.forgotPassword,
  component: lazyRouteComponent(
    () => import("../features/organization/onboarding/ForgotPasswordPage.tsx"),
    "ForgotPasswordPage",
  ),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  validateSearch: (search): { email?: string | undefined; token?: string | undefined } => ({
    email: readText(search.email),
    token: readText(search.token),
  }),
  component: lazyRouteComponent(
    () => import("../features/organization/onboarding/ResetPasswordPage.tsx"),
    "ResetPasswordPage",
  ),
})
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: paths.acceptInvitation,
  validateSearch: (search): { code?: string | undefined } => ({ code: readText(search.code) }),
  component: lazyRouteComponent(
    () => import("../features/people/users/AcceptInvitationPage.tsx"),
    "AcceptInvitationPage",
  ),
})
const publicTask = createRoute({
  getParentRoute: () => root,
  path: paths.publicTask,
  component: lazyRouteComponent(() => import("../features/public/PublicTaskPage.tsx"), "PublicTaskPage"),
})

/** Pages that require no sign-in. */
export const pagesBeforeSignIn = [
  signIn,
  register,
  verify,
  forgotPassword,
  resetPassword,
  acceptInvitation,
  publicTask,
] as const
