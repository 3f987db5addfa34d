/** A person in front of a browser with the agent. Selectors are CSS; actions wait for a visible element. */
export interface Person {
  /** Opens a path of the product, or a whole address, in the current tab. */
  open(address: string): Promise<void>
  /** Types key by key, at the pace of a person. */
  type(selector: string, text: string): Promise<void>
  /** Replaces the content of a field by typing. */
  retype(selector: string, text: string): Promise<void>
  /** Pastes from the clipboard. */
  paste(selector: string, text: string): Promise<void>
  /** Sets a field at once, as a password manager does: no keys, but `input` and `change`. */
  fill(selector: string, text: string): Promise<void>
  /** Presses a key of the keyboard, such as `Enter`. */
  press(key: string): Promise<void>
  /** Clicks an element; with a text, the first that contains that text. */
  click(selector: string, text?: string | RegExp): Promise<void>
  /** Waits until an element is visible; with a text, until it contains that text. */
  see(selector: string, text?: string | RegExp): Promise<void>
  /** Waits until no such element is visible. */
  miss(selector: string): Promise<void>
  /** Goes back in the history of the tab. */
  back(): Promise<void>
  reload(): Promise<void>
  /** Opens a new tab, which becomes the current one. */
  newTab(address: string): Promise<void>
  /** Closes the current tab; the one before becomes current. */
  closeTab(): Promise<void>
  /** Makes the newest tab or popup current. */
  newestTab(): Promise<void>
  /** Address of the current tab. */
  address(): Promise<string>
  /** Waits until the address matches. */
  arrive(address: RegExp): Promise<void>
  /** Value of a JavaScript expression in the page. */
  evaluate(expression: string): Promise<unknown>
  /** Thinks for a while. */
  pause(ms: number): Promise<void>
  /** Adds an authenticator that confirms every request (WebAuthn). */
  plugInSecurityKey(): Promise<void>
  /** Acts inside the frame that matches; the page itself again with no selector. */
  frame(selector?: string): Promise<void>
}

/** A person whose browser the lab can slow down and clear. */
export interface LabPerson extends Person {
  /** Slows the CPU of the pages by a factor (Chromium only). */
  slowCpu(factor: number): Promise<void>
  /** The window of the current tab as PNG. */
  picture(): Promise<Buffer>
  /** Ends a flow: goes elsewhere, closes all tabs, and forgets cookies and storage of the hosts. */
  leave(hosts: readonly string[]): Promise<void>
}

/** Longest time that a person waits for something on a page. */
export const patienceMs = 45_000
/** A page that needs no login. */
export const elsewhere = 'https://www.acme-works.example/'
