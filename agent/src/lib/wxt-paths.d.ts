import 'wxt/browser'

declare module 'wxt/browser' {
  /** Declared here because WXT generates the precise type only at build time, and type checks run without a build. */
  interface WxtRuntime {
    getURL(path: string): string
  }
}
