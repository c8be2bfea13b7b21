import { createRootRoute } from "@tanstack/react-router"
import { NotFoundPage } from "../shell/page-states.tsx"

export const root = createRootRoute({ notFoundComponent: NotFoundPage })
