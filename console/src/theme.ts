import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core"

/** Deep green of the brand; shade 7 carries white text at 5.2:1. */
const pine: MantineColorsTuple = [
  "#effaf6",
  "#dcf1ea",
  "#b9e2d5",
  "#8fd0bc",
  "#66bda3",
  "#45aa8d",
  "#2f9377",
  "#1f7a63",
  "#176452",
  "#0f4b3d",
]

/** Greys with a trace of the green, so that surfaces and text belong to the brand colour. */
const gray: MantineColorsTuple = [
  "#f5f7f6",
  "#eef1ef",
  "#e3e8e5",
  "#d3dad6",
  "#b4beb9",
  "#8b9893",
  "#5f6d67",
  "#4c5954",
  "#35413c",
  "#1d2622",
]

const dark: MantineColorsTuple = [
  "#dbe3df",
  "#bac5bf",
  "#97a49e",
  "#66736d",
  "#3a4641",
  "#2a3430",
  "#1e2623",
  "#151b19",
  "#101513",
  "#0a0d0c",
]

/** The header of a dialog is not another one of the page. */
const plainHeader = { header: { role: "none" } }

const theme = createTheme({
  primaryColor: "pine",
  black: "#1d2622",
  primaryShade: { light: 7, dark: 7 },
  colors: { pine, gray, dark },
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "16px" },
  fontFamily:
    '"Inter Variable", Inter, "IBM Plex Sans Arabic", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem" },
      h3: { fontSize: "0.875rem" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  // Plain objects: naming the components here would put all of them into the first load.
  components: {
    Button: { defaultProps: { size: "sm" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Badge: {
      defaultProps: { variant: "light", radius: "sm" },
      styles: { label: { textTransform: "none" } },
    },
    TextInput: { defaultProps: { size: "sm" } },
    // A value out of range is named by the form or the server, never changed behind somebody's back.
    NumberInput: {
      defaultProps: {
        clampBehavior: "none",
        // Where forms read them: the input is one of text.
        styles: (_theme: unknown, { min, max }: { min?: number; max?: number }) => ({
          input: { "--bound-min": min, "--bound-max": max },
        }),
      },
    },
    Select: { defaultProps: { size: "sm", allowDeselect: false, comboboxProps: { shadow: "md" } } },
    Paper: { defaultProps: { radius: "lg" } },
    Modal: {
      defaultProps: {
        ...{ centered: true, radius: "lg", overlayProps: { backgroundOpacity: 0.4, blur: 2 } },
        attributes: plainHeader,
      },
    },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.25 }, attributes: plainHeader } },
    Tooltip: {
      defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
    Menu: { defaultProps: { shadow: "md", radius: "md" } },
  },
})

/** `close` names the crosses of dialogs and notifications to screen readers. */
export function themeWith(close: string) {
  const modal = theme.components?.Modal
  const closeButtonProps = { "aria-label": close }
  return {
    ...theme,
    components: {
      ...theme.components,
      Modal: { ...modal, defaultProps: { ...modal?.defaultProps, closeButtonProps } },
      Notification: { defaultProps: { closeButtonProps } },
    },
  }
}

/** Names of the surfaces that our own styles use, for both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--surface": "#ffffff",
    "--surface-sunken": "#f5f7f6",
    "--line": "#e3e8e5",
    "--text-quiet": "#5f6d67",
    "--hover": "#f0f4f2",
    "--selected": "#e6f4ef",
    "--mantine-color-dimmed": "#5f6d67",
    "--mantine-color-placeholder": "#65716c",
    // The library's own yellow carries no text on its pale ground.
    "--mantine-color-yellow-light-color": "#855700",
    "--mantine-color-anchor": "#176452",
    "--mantine-color-error": "#b42318",
  },
  dark: {
    "--surface": "#151b19",
    "--surface-sunken": "#101513",
    "--line": "#2a3430",
    "--text-quiet": "#97a49e",
    "--hover": "#1b2320",
    "--selected": "#17302a",
    "--mantine-color-dimmed": "#97a49e",
    "--mantine-color-placeholder": "#84918b",
    "--mantine-color-anchor": "#66bda3",
    "--mantine-color-error": "#ff8f85",
  },
})
