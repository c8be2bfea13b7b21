import { prepareZXingModule, BarcodeDetector as ScriptDetector } from "barcode-detector/ponyfill"
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url"

/** Reads barcodes and QR codes out of a picture. */
export interface Detector {
  detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>
}

/** The browser's own reader where it has one, as on Android; elsewhere, such as on iPhones, one that this server hosts. */
export function createDetector(): Detector {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: new () => Detector }
  if (BarcodeDetector) return new BarcodeDetector()
  // Throws where the page was opened under a policy without WebAssembly, such as that of the sign-in page.
  new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  prepareZXingModule({ overrides: { locateFile: () => wasmUrl } })
  return new ScriptDetector() as Detector
}
