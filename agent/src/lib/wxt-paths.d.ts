import 'wxt/browser'

declare module 'wxt/browser' {
  /** WXT leaves this to the types that it generates while building; checks must do without them. */
  interface WxtRuntime {
    getURL(path: string): string
  }
}
