import { Button, type ButtonProps } from "@mantine/core"
import { createLink } from "@tanstack/react-router"
import type { ComponentPropsWithRef } from "react"

type AnchorProps = Omit<ComponentPropsWithRef<"a">, keyof ButtonProps>

/** A link to a page that looks like a button; path, parameters and search are checked against the routes. */
export const ButtonLink = createLink((props: ButtonProps & AnchorProps) => (
  <Button component="a" {...props} />
))
