/** Shows the re-authentication dialog. Resolves to true if it succeeded. */
type ReauthenticationPrompt = () => Promise<boolean>

let prompt: ReauthenticationPrompt | undefined
let asked: Promise<boolean> | undefined

/** Registers the dialog, or unregisters it. */
export function setReauthenticationPrompt(next: ReauthenticationPrompt | undefined): void {
  prompt = next
}

/** Asks the administrator to re-authenticate. Concurrent requests share one dialog. */
export function requestReauthentication(): Promise<boolean> {
  asked ??= (prompt?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined
  })
  return asked
}
