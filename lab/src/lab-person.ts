/** Person in front of a browser with the agent. Selectors are CSS; actions wait for a visible element. */
export interface Person {
  /** Opens a path of the product, or a whole address, in the current tab. */
  open(address: string): Promise<void>
  /** Types character by character, at human speed. */
  type(selector: string, text: string): Promise<void>
  /** Replaces the content of a field by typing. */
  retype(selector: string, text: string): Promise<void>
  /** Pastes from the clipboard. */
  paste(selector: string, text: string): Promise<void>
  /** Sets a field at once, as a password manager does: without keys, but with `input` and `change` events. */
  fill(selector: string, text: string): Promise<void>
  /** Presses a key, such as `Enter`. */
  press(key: string): Promise<void>
  /** Clicks an element; with a text, the first one that contains the text. */
  click(selector: string, text?: string | RegExp): Promise<void>
  /** Waits until an element is visible; with a text, until it contains that text. */
  see(selector: string, text?: string | RegExp): Promise<void>
  /** Waits until no such element is visible. */
  miss(selector: string): Promise<void>
  /** Goes back in the tab's history. */
  back(): Promise<void>
  reload(): Promise<void>
  /** Opens a new tab, which becomes the current one. */
  newTab(address: string): Promise<void>
  /** Closes the current tab; the previous one becomes current. */
  closeTab(): Promise<void>
  /** Makes the newest tab or popup current. */
  newestTab(): Promise<void>
  /** Address of the current tab. */
  address(): Promise<string>
  /** Waits until the address matches. */
  arrive(address: RegExp): Promise<void>
  /** Value of a JavaScript expression in the page. */
  evaluate(expression: string): Promise<unknown>
  /** Waits for a while. */
  pause(ms: number): Promise<void>
  /** Adds an authenticator that confirms every request (WebAuthn). */
  plugInSecurityKey(): Promise<void>
  /** Switches to the matching frame, or back to the page without a selector. */
  frame(selector?: string): Promise<void>
}

/** Person whose browser the lab can slow down and clear. */
export interface LabPerson extends Person {
  /** Slows down the CPU of the pages by a factor (Chromium only). */
  slowCpu(factor: number): Promise<void>
  /** Returns a PNG of the current tab's window. */
  picture(): Promise<Buffer>
  /** Ends a flow: leaves the page, closes all tabs, and clears cookies and storage of the hosts. */
  leave(hosts: readonly string[]): Promise<void>
}

/** Maximum time that a person waits for something on a page. */
export const patienceMs = 45_000
/** Page without a login. */
export const elsewhere = 'https://www.acme-works.example/'
