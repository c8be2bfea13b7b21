/** Whether codes can be read here: by the browser, or on the phone page, whose policy allows the hosted reader. */
export function canScan(): boolean {
  return "BarcodeDetector" in globalThis || window.location.pathname.startsWith("/field")
}
